package dev.holdfast.search.copy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells indexing nodes which copies are searched. After a pause, what was written since is made
/// searchable first; an indexing node that does not answer, or takes long, keeps nobody from what
/// is searchable.
final class SearchReports {
  private static final Logger LOG = LoggerFactory.getLogger(SearchReports.class);

  /// A copy that is searched tells its indexing node at least so often.
  private static final Duration EVERY = Duration.ofMinutes(1);

  /// How long the search that tells waits for a refresh that nobody asked for.
  private static final Duration WAIT_MAX = Duration.ofSeconds(1);

  /// After one was late, none is waited for for so long: a search tells of all its shards.
  private static final Duration LATE = Duration.ofSeconds(5);

  private final World world;
  private final IndexingReads indexing;
  private volatile long lateUntilNanos;

  SearchReports(World world, IndexingReads indexing) {
    this.world = world;
    this.indexing = indexing;
    this.lateUntilNanos = world.clock().nanoTime();
  }

  /// A copy is being searched; tells its indexing node when that is due.
  void searched(ShardId shard, SearchRecency recency) throws InterruptedException {
    long nowNanos = world.clock().nanoTime();
    boolean mustReport = recency.mustReport(nowNanos, EVERY.toNanos());
    recency.searched(nowNanos);
    if (mustReport) {
      recency.reported(nowNanos);
      report(shard);
    }
  }

  private void report(ShardId shard) throws InterruptedException {
    boolean isLate = world.clock().nanoTime() - lateUntilNanos < 0;
    try {
      boolean _ =
          FanOut.of(world, "report-search")
              .within(isLate ? Duration.ZERO : WAIT_MAX)
              .one(() -> {
                indexing.searched(shard);
                return true;
              });
    } catch (TimeoutException e) {
      if (!isLate) {
        lateUntilNanos = world.clock().nanoTime() + LATE.toNanos();
      }
      LOG.debug("the indexing node was not told of a search in time [shard={}]", shard, e);
    } catch (ExecutionException e) {
      LOG.debug("the indexing node was not told of a search [shard={}]", shard, e);
    }
  }
}
