package dev.holdfast.simulation.fortnight;

import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.schedule.Alarm;
import dev.holdfast.simulation.schedule.FailureText;
import dev.holdfast.world.ErrorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Clients that write to streams, any node they find, until each document is acknowledged.
final class StreamWriters {
  private static final int DOCUMENTS_MAX = 5;
  private static final int TRIES_MAX = 600;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final List<String> SERIES = List.of("a", "b");

  private final SimulatedCluster cluster;
  private final StreamNodes nodes;
  private final StreamDocuments documents;
  private final Alarm alarm;
  private final SplittableRandom random;

  StreamWriters(
      SimulatedCluster cluster,
      StreamNodes nodes,
      StreamDocuments documents,
      Alarm alarm,
      SplittableRandom random) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.documents = documents;
    this.alarm = alarm;
    this.random = random;
  }

  /// Writes a few new documents of now.
  void write(StreamPlan plan) throws InterruptedException {
    long now = cluster.outside().world().clock().epochMillis();
    List<StreamDocument> left = new ArrayList<>();
    int count = 1 + random.nextInt(DOCUMENTS_MAX);
    for (int i = 0; i < count; i++) {
      String series = plan.isSeries() ? SERIES.get(random.nextInt(SERIES.size())) : null;
      left.add(documents.begins(plan.name(), series, now + i));
    }
    String last = "";
    for (int tries = 0; !left.isEmpty(); tries++) {
      if (tries == TRIES_MAX) {
        alarm.violated("nobody takes a document: " + last + " " + left.getFirst());
        return;
      }
      SimulatedNode node = nodes.some();
      if (node != null) {
        last = tryAt(node, left);
      }
      if (!left.isEmpty()) {
        cluster.outside().world().sleeper().sleep(PAUSE);
      }
    }
  }

  /// @param left loses what is acknowledged
  /// @return why something is left
  private String tryAt(SimulatedNode node, List<StreamDocument> left) throws InterruptedException {
    String why = "";
    try {
      List<StreamDocument> asked = List.copyOf(left);
      for (StreamNode.Written one : cluster.call(node, () -> nodes.at(node).write(asked))) {
        switch (one.result()) {
          case WriteResult.Done _ -> {
            acknowledged(one);
            left.remove(one.document());
          }
          case WriteResult.Refused refused -> {
            why = refused.refusal().reason();
            if (refused.refusal().type() == ErrorType.VERSION_CONFLICT) {
              if (!one.document().isUnsure) {
                alarm.violated("a new document is there already " + one.document());
              }
              acknowledged(one);
              left.remove(one.document());
            }
          }
        }
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      why = FailureText.of(e);
      left.forEach(one -> one.isUnsure = true);
    }
    return why;
  }

  private void acknowledged(StreamNode.Written written) throws InterruptedException {
    documents.acknowledged(written.document(), written.shard().index().name());
    SimulatedNode node = nodes.some();
    if (node != null && random.nextInt(4) == 0) {
      get(node, written);
    }
    if (node != null && random.nextInt(4) == 0) {
      refresh(node, written);
    }
  }

  /// Leaders count what is refreshed, and between two of their looks there is little time for it.
  private void refresh(SimulatedNode node, StreamNode.Written written) throws InterruptedException {
    try {
      written.document().isRefreshed =
          cluster.call(
              node,
              () -> {
                node.indexing().refresh(written.shard());
                return true;
              });
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      cluster.tell("a refresh failed: " + FailureText.of(e)); // nodes die
    }
  }

  /// What is acknowledged is there at once, whoever is asked.
  private void get(SimulatedNode node, StreamNode.Written written) throws InterruptedException {
    try {
      RealTimeDocument found =
          cluster.call(node, () -> node.searches().get(written.shard(), written.id(), true));
      if (!found.exists()) {
        alarm.violated("an acknowledged document is not found by its id " + written.document());
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      cluster.tell("a get failed: " + FailureText.of(e)); // nodes die
    }
  }
}
