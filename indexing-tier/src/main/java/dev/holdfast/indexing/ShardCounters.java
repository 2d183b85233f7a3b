package dev.holdfast.indexing;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// What a shard has done since it was opened here.
final class ShardCounters {
  final LongAdder indexed = new LongAdder();
  final LongAdder indexNanos = new LongAdder();

  /// Of [#indexNanos], what is in commits that are uploaded or on their way.
  final AtomicLong indexNanosFrozen = new AtomicLong();

  final LongAdder indexFailed = new LongAdder();
  final LongAdder versionConflicts = new LongAdder();
  final LongAdder deleted = new LongAdder();
  final LongAdder noopUpdates = new LongAdder();
  final LongAdder refreshes = new LongAdder();
  final LongAdder refreshNanos = new LongAdder();
  final LongAdder flushes = new LongAdder();
  final LongAdder flushNanos = new LongAdder();
  final LongAdder merges = new LongAdder();
  final LongAdder mergeNanos = new LongAdder();
  final LongAdder mergedDocuments = new LongAdder();
  final LongAdder mergedBytes = new LongAdder();
  final AtomicLong currentMerges = new AtomicLong();
  final LongAdder gets = new LongAdder();
  final LongAdder uploads = new LongAdder();
  final LongAdder uploadedBytes = new LongAdder();

  /// Operations and bytes of documents given to the log, and those of them that uploads cover.
  final AtomicLong logOperations = new AtomicLong();

  final AtomicLong logBytes = new AtomicLong();
  final AtomicLong logOperationsUploaded = new AtomicLong();
  final AtomicLong logBytesUploaded = new AtomicLong();
}
