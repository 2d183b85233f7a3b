package dev.holdfast.indexing.engine;

import dev.holdfast.indexing.version.CurrentDocuments;
import dev.holdfast.world.Clock;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// What a shard has done since it was opened here.
public final class ShardCounters {
  public final LongAdder indexed = new LongAdder();

  /// Of all writes.
  public final LongAdder indexNanos = new LongAdder();

  /// Of [#indexNanos], what deletes took.
  public final LongAdder deleteNanos = new LongAdder();

  /// Operations that are being applied.
  public final AtomicLong indexing = new AtomicLong();

  public final AtomicLong deleting = new AtomicLong();

  /// Requests of operations, until they are applied.
  public final LongAdder bulks = new LongAdder();

  public final LongAdder bulkNanos = new LongAdder();
  public final LongAdder bulkBytes = new LongAdder();

  /// Of [#indexNanos], what is in commits that are uploaded or on their way.
  public final AtomicLong indexNanosFrozen = new AtomicLong();

  /// All that the shard has in the log for a recovery lies in this file or a later one, once what
  /// is on its way is uploaded.
  public final AtomicLong logOrdinalFrozen = new AtomicLong();

  public final LongAdder indexFailed = new LongAdder();
  public final LongAdder versionConflicts = new LongAdder();
  public final LongAdder deleted = new LongAdder();
  public final LongAdder noopUpdates = new LongAdder();
  public final LongAdder refreshes = new LongAdder();
  public final LongAdder refreshNanos = new LongAdder();
  public final LongAdder flushes = new LongAdder();
  public final LongAdder flushNanos = new LongAdder();
  public final LongAdder merges = new LongAdder();
  public final LongAdder mergeNanos = new LongAdder();
  public final LongAdder mergedDocuments = new LongAdder();
  public final LongAdder mergedBytes = new LongAdder();
  public final AtomicLong currentMerges = new AtomicLong();
  public final AtomicLong currentMergeDocuments = new AtomicLong();
  public final AtomicLong currentMergeBytes = new AtomicLong();
  public final LongAdder gets = new LongAdder();
  public final LongAdder getNanos = new LongAdder();
  public final LongAdder getsFound = new LongAdder();
  public final LongAdder getFoundNanos = new LongAdder();
  public final AtomicLong getting = new AtomicLong();
  public final LongAdder uploads = new LongAdder();
  public final LongAdder uploadedBytes = new LongAdder();

  /// Operations and bytes of documents given to the log, and those of them that uploads cover.
  public final AtomicLong logOperations = new AtomicLong();

  public final AtomicLong logBytes = new AtomicLong();
  public final AtomicLong logOperationsUploaded = new AtomicLong();
  public final AtomicLong logBytesUploaded = new AtomicLong();

  /// Looks for a document.
  @FunctionalInterface
  interface Get {
    CurrentDocuments.Found found() throws IOException, InterruptedException;
  }

  /// What is found; counts that it was looked for.
  CurrentDocuments.Found get(Clock clock, Get get) throws IOException, InterruptedException {
    long startNanos = clock.nanoTime();
    getting.incrementAndGet();
    try {
      CurrentDocuments.Found found = get.found();
      long nanos = clock.nanoTime() - startNanos;
      gets.increment();
      getNanos.add(nanos);
      if (found.document().exists()) {
        getsFound.increment();
        getFoundNanos.add(nanos);
      }
      return found;
    } finally {
      getting.decrementAndGet();
    }
  }

  /// Commits that are uploaded or on their way hold all writes of that time; so does none where
  /// nothing came of them, as of conflicts.
  ///
  /// @param nanos of [#indexNanos]
  /// @param ordinal of the log's file that was being filled then
  public void covered(long nanos, long ordinal) {
    indexNanosFrozen.accumulateAndGet(nanos, Math::max);
    logOrdinalFrozen.accumulateAndGet(ordinal, Math::max);
  }
}
