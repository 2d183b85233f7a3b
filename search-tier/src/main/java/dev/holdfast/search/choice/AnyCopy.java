package dev.holdfast.search.choice;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.SearchNode;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;

/// A question that any copy of a shard can answer: asked of one after the other until one does.
public final class AnyCopy {
  private static final Duration POLL = Duration.ofMillis(20);

  private final World world;
  private final Metadata metadata;
  private final SearchNodes nodes;
  private final SearchConfig config;
  private final String self;

  public AnyCopy(
      World world, Metadata metadata, SearchNodes nodes, SearchConfig config, String self) {
    this.world = world;
    this.metadata = metadata;
    this.nodes = nodes;
    this.config = config;
    this.self = self;
  }

  /// A question to one node.
  @FunctionalInterface
  public interface Asking<T> {
    T ask(SearchNode node) throws IOException, InterruptedException;
  }

  /// @throws Refusal 429 when the last copy asked has no room; what the store says that fails it;
  ///   `no_shard_available_action_exception` when none answered in time; another when the shard is
  ///   gone or its index closed
  public <T> T ask(ShardId shard, CopyChoice choice, Asking<T> question)
      throws IOException, InterruptedException {
    long deadlineNanos = world.clock().nanoTime() + config.firstCommitWaitMax().toNanos();
    Throwable last = null;
    while (true) {
      for (String member : choice.copies(metadata.current(), shard, self)) {
        try {
          return question.ask(nodes.member(member));
        } catch (Refusal e) {
          if (e.status() < 500 && e.status() != 429) {
            throw e;
          }
          last = e;
        } catch (IOException e) {
          last = e;
        }
      }
      if (last instanceof Refusal refusal
          && (refusal.status() == 429 || StoreTrouble.isTold(refusal))) {
        // A node without room says so at once, as one does whose store fails: its client may wait.
        throw refusal;
      }
      metadata.current().requireOpen(shard);
      Refusal damage = DamagedCopies.of(metadata.current(), nodes, shard);
      if (damage != null) {
        throw damage;
      }
      boolean isDamaged =
          last instanceof Refusal refusal && refusal.type() == ErrorType.CORRUPT_INDEX;
      if (isDamaged || world.clock().nanoTime() - deadlineNanos > 0) {
        if (last == null) {
          throw NextCopies.unavailable(metadata.current(), shard);
        }
        if (last instanceof Refusal refusal) {
          throw refusal;
        }
        throw new IOException("no copy answers [shard=" + shard + "]", last);
      }
      StopSignal.lookForCancelling();
      Await.pause(world, POLL);
    }
  }
}
