package dev.holdfast.indexing;

import dev.holdfast.indexing.mark.UploadMarking;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.translog.Log;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Uploads what open shards hold, all side by side, within the time that a stop may take.
final class CleanStop {
  private static final Logger LOG = LoggerFactory.getLogger(CleanStop.class);

  /// How long a stop waits for the cluster state to hear of the last uploads. What it does not hear
  /// can be had from the log.
  private static final Duration TELLING_MAX = Duration.ofSeconds(2);

  private final World world;
  private final IndexingConfig config;
  private final UploadMarking marking;
  private final Duration pauseMax;

  CleanStop(NodeParts node) {
    this.world = node.world();
    this.config = node.config();
    this.marking = node.cluster().marking();
    this.pauseMax = node.life().pauseMax();
  }

  void flush(List<IndexingShard> shards) {
    List<Callable<Boolean>> flushes = new ArrayList<>();
    for (IndexingShard shard : shards) {
      if (shard.engine.isOpen()) {
        flushes.add(() -> flush(shard));
      }
    }
    try {
      long late =
          FanOut.of(world, "flush-to-stop")
              .within(config.closingMax())
              .cancelling()
              .outcomes(flushes)
              .stream()
              .filter(FanOut.Late.class::isInstance)
              .count();
      if (late > 0) {
        LOG.warn("stopped before everything was uploaded: the log has the rest [shards={}]", late);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tellTheState();
  }

  /// Whether it was.
  private boolean flush(IndexingShard shard) throws InterruptedException {
    try {
      if (!shard.finish(false, pauseMax)) {
        LOG.warn("writes did not end before the stop: the log has the rest");
        return false;
      }
      return true;
    } catch (Log.EvictedException e) {
      LOG.debug("an evicted node uploads nothing [shard={}]", shard.engine.shard, e);
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "a shard was not uploaded before the stop: the log has the rest [shard={}, why={}]",
          shard.engine.shard,
          e.toString());
      LOG.debug("a shard was not uploaded before the stop [shard={}]", shard.engine.shard, e);
    }
    return false;
  }

  private void tellTheState() {
    try {
      marking.finish(TELLING_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
