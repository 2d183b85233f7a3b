package dev.holdfast.indexing;

import dev.holdfast.world.Clock;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy.OneMerge;

/// Merges of one shard in threads of their own, one at a time, and over all shards of the node no
/// more than there are permits.
final class BoundedMerges extends ConcurrentMergeScheduler {
  /// When so many merges wait, writing waits too.
  private static final int WAITING_MAX = 6;

  private final Semaphore permits;
  private final ShardCounters counters;
  private final Clock clock;

  BoundedMerges(Semaphore permits, ShardCounters counters, Clock clock) {
    this.permits = permits;
    this.counters = counters;
    this.clock = clock;
    setMaxMergesAndThreads(WAITING_MAX, 1);
    disableAutoIOThrottle();
  }

  @Override
  protected void doMerge(MergeSource source, OneMerge merge) throws IOException {
    permits.acquireUninterruptibly();
    long startNanos = clock.nanoTime();
    counters.currentMerges.incrementAndGet();
    try {
      super.doMerge(source, merge);
    } finally {
      permits.release();
      counters.currentMerges.decrementAndGet();
      counters.merges.increment();
      counters.mergeNanos.add(clock.nanoTime() - startNanos);
      counters.mergedDocuments.add(merge.totalNumDocs());
      counters.mergedBytes.add(merge.totalBytesSize());
    }
  }
}
