package dev.holdfast.indexing.call;

import dev.holdfast.indexing.engine.SegmentCounts;
import dev.holdfast.indexing.engine.ShardCounters;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.version.SequenceNumbers;
import dev.holdfast.indexing.write.WriteLoad;

/// Counters of one indexing shard since it was opened here; times in milliseconds, sizes in bytes.
///
/// @param milliLoad thousandths of threads that its writes have kept busy since then; lately, and
///   at most, are `recentMilliLoad` and `peakMilliLoad`
public record ShardStats(
    long documents,
    long deletedDocuments,
    long storeBytes,
    long indexOperations,
    long indexMillis,
    long indexFailed,
    long versionConflicts,
    long deleteOperations,
    long noopUpdates,
    long refreshes,
    long refreshMillis,
    long flushes,
    long flushMillis,
    long merges,
    long mergeMillis,
    long mergedDocuments,
    long mergedBytes,
    long currentMerges,
    long getOperations,
    long translogOperations,
    long translogBytes,
    int segments,
    long maxSeqNo,
    long uploads,
    long uploadedBytes,
    long milliLoad,
    long recentMilliLoad,
    long peakMilliLoad) {
  static final int NUMBERS = 28;

  private static final int DOCUMENTS = 0;
  private static final int DELETED_DOCUMENTS = 1;
  private static final int STORE_BYTES = 2;
  private static final int FLUSHES = 11;
  private static final int SEGMENTS = 21;
  private static final int MAX_SEQ_NO = 22;

  /// Of a shard in which nothing was ever done.
  public static final ShardStats NONE =
      ofClosed(new SegmentCounts(0, 0, 0), 0, SequenceNumbers.NONE);

  /// All of them, in order.
  long[] numbers() {
    return new long[] {
      documents,
      deletedDocuments,
      storeBytes,
      indexOperations,
      indexMillis,
      indexFailed,
      versionConflicts,
      deleteOperations,
      noopUpdates,
      refreshes,
      refreshMillis,
      flushes,
      flushMillis,
      merges,
      mergeMillis,
      mergedDocuments,
      mergedBytes,
      currentMerges,
      getOperations,
      translogOperations,
      translogBytes,
      segments,
      maxSeqNo,
      uploads,
      uploadedBytes,
      milliLoad,
      recentMilliLoad,
      peakMilliLoad
    };
  }

  static ShardStats of(long[] numbers) {
    return new ShardStats(
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        numbers[4],
        numbers[5],
        numbers[6],
        numbers[7],
        numbers[8],
        numbers[9],
        numbers[10],
        numbers[11],
        numbers[12],
        numbers[13],
        numbers[14],
        numbers[15],
        numbers[16],
        numbers[17],
        numbers[18],
        numbers[19],
        numbers[20],
        (int) numbers[21],
        numbers[22],
        numbers[23],
        numbers[24],
        numbers[25],
        numbers[26],
        numbers[27]);
  }

  /// As of the newest commit.
  ///
  /// @param bytes of its files
  public static ShardStats of(ShardEngine engine, long bytes, WriteLoad load) {
    ShardCounters counts = engine.counters;
    SegmentCounts segments = engine.counts();
    return new ShardStats(
        segments.documents(),
        segments.deleted(),
        bytes,
        counts.indexed.sum(),
        millis(counts.indexNanos.sum()),
        counts.indexFailed.sum(),
        counts.versionConflicts.sum(),
        counts.deleted.sum(),
        counts.noopUpdates.sum(),
        counts.refreshes.sum(),
        millis(counts.refreshNanos.sum()),
        counts.flushes.sum(),
        millis(counts.flushNanos.sum()),
        counts.merges.sum(),
        millis(counts.mergeNanos.sum()),
        counts.mergedDocuments.sum(),
        counts.mergedBytes.sum(),
        counts.currentMerges.get(),
        counts.gets.sum(),
        counts.logOperations.get() - counts.logOperationsUploaded.get(),
        counts.logBytes.get() - counts.logBytesUploaded.get(),
        segments.segments(),
        engine.durable.max(),
        counts.uploads.sum(),
        counts.uploadedBytes.sum(),
        milli(load.allTime()),
        milli(load.threads()),
        milli(load.peak()));
  }

  /// Of a shard that was not opened here.
  ///
  /// @param bytes of the newest commit's files
  public static ShardStats ofClosed(SegmentCounts segments, long bytes, long maxSeqNo) {
    long[] numbers = new long[NUMBERS];
    numbers[DOCUMENTS] = segments.documents();
    numbers[DELETED_DOCUMENTS] = segments.deleted();
    numbers[STORE_BYTES] = bytes;
    numbers[SEGMENTS] = segments.segments();
    numbers[MAX_SEQ_NO] = maxSeqNo;
    return of(numbers);
  }

  /// With one flush more, which took no time.
  public ShardStats flushed() {
    long[] numbers = numbers();
    numbers[FLUSHES]++;
    return of(numbers);
  }

  private static long milli(double threads) {
    return Math.round(threads * 1_000);
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }
}
