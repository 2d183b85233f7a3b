package dev.holdfast.simulation.fortnight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.schedule.Alarm;
import dev.holdfast.simulation.schedule.FailureText;
import dev.holdfast.world.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Looks for all documents of a stream while nobody writes, and again until every shard answers.
final class StreamSearch {
  private static final int HITS_MAX = 9_000;
  private static final int TRIES_MAX = 300;
  private static final Duration PAUSE = Duration.ofMillis(200);

  /// Of the newest indices only: others are written to no more, and were looked for before.
  private static final int REFRESHED = 4;

  private final SimulatedCluster cluster;
  private final StreamNodes nodes;
  private final StreamDocuments documents;
  private final Alarm alarm;

  StreamSearch(
      SimulatedCluster cluster, StreamNodes nodes, StreamDocuments documents, Alarm alarm) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.documents = documents;
    this.alarm = alarm;
  }

  /// As sources have it, in numbers or in words.
  static long millis(JsonNode time) {
    return time.isNumber() ? time.asLong() : Instant.parse(time.asText()).toEpochMilli();
  }

  void look(StreamPlan plan) throws InterruptedException {
    String last = "";
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      SimulatedNode node = nodes.some();
      if (node != null) {
        try {
          ClusterState state = nodes.state();
          List<IndexMetadata> indices = indices(state, plan);
          refresh(node, indices);
          List<Hit> hits = hits(node, indices);
          if (nodes.state().version() == state.version()) {
            documents.shown(state, plan, hits);
            return;
          }
        } catch (InterruptedException e) {
          throw e;
        } catch (Exception e) {
          last = FailureText.of(e);
        }
      }
      cluster.outside().world().sleeper().sleep(PAUSE);
    }
    alarm.violated("a stream can't be searched [stream=" + plan.name() + "]: " + last);
  }

  private static List<IndexMetadata> indices(ClusterState state, StreamPlan plan) {
    return StreamPromises.stream(state, plan.name()).indices().stream()
        .map(name -> StreamPromises.index(state, name))
        .toList();
  }

  private void refresh(SimulatedNode node, List<IndexMetadata> indices) throws Exception {
    for (IndexMetadata index :
        indices.subList(Math.max(0, indices.size() - REFRESHED), indices.size())) {
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        boolean _ =
            cluster.call(
                node,
                () -> {
                  node.indexing().refresh(shard);
                  return true;
                });
      }
    }
  }

  private List<Hit> hits(SimulatedNode node, List<IndexMetadata> indices) throws Exception {
    SearchSource source =
        SearchParser.parse(
            Json.parseObject("{\"size\":" + HITS_MAX + ",\"query\":{\"match_all\":{}}}"));
    List<IndexId> ids = indices.stream().map(IndexMetadata::id).toList();
    SearchResponse response =
        cluster.call(node, () -> node.searches().search(ids, source, () -> false));
    response.requireWhole();
    return new ArrayList<>(response.hits());
  }
}
