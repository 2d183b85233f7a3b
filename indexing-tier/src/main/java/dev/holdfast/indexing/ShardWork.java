package dev.holdfast.indexing;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.LogReplay;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings shards to where the cluster state wants them: opens, reopens after a failure, closes. One
/// worker a shard; openings of many shards go side by side, within a bound.
final class ShardWork {
  private static final Logger LOG = LoggerFactory.getLogger(ShardWork.class);
  private static final int OPENINGS_MAX = 16;
  private static final Duration RETRY_FIRST = Duration.ofMillis(200);
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);

  private final NodeParts node;
  private final LogReplay logs;
  private final Function<ShardId, IndexMapping> mappings;
  private final Consumer<Slot> onGone;
  private final Semaphore openings = new Semaphore(OPENINGS_MAX);
  private volatile boolean isStopped;

  /// @param onGone hears of shards that are closed because their index was deleted
  ShardWork(
      NodeParts node,
      LogReplay logs,
      Function<ShardId, IndexMapping> mappings,
      Consumer<Slot> onGone) {
    this.node = node;
    this.logs = logs;
    this.mappings = mappings;
    this.onGone = onGone;
  }

  /// Starts a worker; the caller has won [Slot#beginWork].
  void start(Slot slot) {
    var _ = node.world().tasks().start("shard-work", () -> work(slot));
  }

  /// No shard is opened from now on.
  void stop() {
    isStopped = true;
  }

  private void work(Slot slot) throws InterruptedException {
    Duration pause = RETRY_FIRST;
    try {
      do {
        try {
          step(slot);
          pause = RETRY_FIRST;
        } catch (IOException | RuntimeException e) {
          if (isStopped || isEvicted(e)) {
            return;
          }
          LOG.error(
              "a shard can't be opened or closed, will be tried again [shard={}, after={}]",
              slot.shard,
              pause,
              e);
          node.world().sleeper().sleep(pause);
          pause =
              pause.multipliedBy(2).compareTo(RETRY_MAX) < 0 ? pause.multipliedBy(2) : RETRY_MAX;
        } finally {
          slot.tried();
        }
      } while (!isStopped && !slot.endWork());
    } finally {
      if (isStopped) {
        slot.stopWork();
      }
    }
  }

  private void step(Slot slot) throws IOException, InterruptedException {
    IndexingShard open = slot.open();
    switch (slot.wanted()) {
      case OPEN -> {
        if (open != null && !open.engine.isOpen()) {
          LOG.error(
              "a shard failed, opening it anew [shard={}]", slot.shard, open.engine.failure());
          closeNow(slot, open);
          if (isEvicted(open.engine.failure())) {
            return;
          }
        }
        if (slot.open() == null) {
          open(slot);
        }
      }
      case CLOSED -> {
        if (open != null) {
          if (open.engine.isOpen()) {
            open.flush();
          }
          closeNow(slot, open);
        }
      }
      case GONE -> {
        if (open != null) {
          closeNow(slot, open);
        }
        onGone.accept(slot);
        slot.bury();
      }
    }
  }

  private void open(Slot slot) throws IOException, InterruptedException {
    openings.acquire();
    try {
      long term =
          slot.takeFreshTerm()
              ? PrimaryTerms.current(node.metadata(), slot.shard)
              : PrimaryTerms.raise(node.metadata(), slot.shard);
      IndexMapping mapping = mappings.apply(slot.shard);
      slot.opened(new Recovery(node, logs, mapping, slot.shard, term).open());
    } finally {
      openings.release();
    }
  }

  private static void closeNow(Slot slot, IndexingShard open) throws IOException {
    slot.opened(null);
    open.close();
  }

  private static boolean isEvicted(@Nullable Throwable why) {
    for (Throwable cause = why; cause != null; cause = cause.getCause()) {
      if (cause instanceof Log.EvictedException) {
        return true;
      }
    }
    return false;
  }
}
