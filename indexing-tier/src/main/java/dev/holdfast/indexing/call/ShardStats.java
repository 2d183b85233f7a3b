package dev.holdfast.indexing.call;

import static dev.holdfast.indexing.call.ShardFigure.DELETED_DOCUMENTS;
import static dev.holdfast.indexing.call.ShardFigure.DOCUMENTS;
import static dev.holdfast.indexing.call.ShardFigure.FLUSHES;
import static dev.holdfast.indexing.call.ShardFigure.MAX_SEQ_NO;
import static dev.holdfast.indexing.call.ShardFigure.SEGMENTS;
import static dev.holdfast.indexing.call.ShardFigure.STORE_BYTES;

import dev.holdfast.indexing.engine.SegmentCounts;
import dev.holdfast.indexing.engine.ShardCounters;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.version.SequenceNumbers;
import dev.holdfast.indexing.write.WriteLoad;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/// The figures of one indexing shard, or of several together. Immutable.
public final class ShardStats {
  static final int NUMBERS = ShardFigure.values().length;

  /// Of a shard in which nothing was ever done.
  public static final ShardStats NONE =
      ofClosed(new SegmentCounts(0, 0, 0), 0, SequenceNumbers.NONE);

  private final Map<ShardFigure, Long> figures;

  private ShardStats(Map<ShardFigure, Long> figures) {
    this.figures = figures;
  }

  /// @param numbers of each figure, in order
  static ShardStats of(long[] numbers) {
    Map<ShardFigure, Long> figures = new EnumMap<>(ShardFigure.class);
    int next = 0;
    for (ShardFigure figure : ShardFigure.values()) {
      figures.put(figure, numbers[next++]);
    }
    return new ShardStats(figures);
  }

  /// As of the newest commit.
  ///
  /// @param bytes of its files
  /// @param bufferBytes of what is written and in no segment yet
  public static ShardStats of(ShardEngine engine, long bytes, long bufferBytes, WriteLoad load) {
    ShardCounters counts = engine.counters;
    long deleteNanos = counts.deleteNanos.sum();
    return new Figures(engine.counts(), bytes, engine.durable.max())
        .put(ShardFigure.INDEXED, counts.indexed.sum())
        .put(ShardFigure.INDEX_MILLIS, millis(counts.indexNanos.sum() - deleteNanos))
        .put(ShardFigure.INDEX_CURRENT, counts.indexing.get())
        .put(ShardFigure.INDEX_FAILED, counts.indexFailed.sum())
        .put(ShardFigure.VERSION_CONFLICTS, counts.versionConflicts.sum())
        .put(ShardFigure.NOOP_UPDATES, counts.noopUpdates.sum())
        .put(ShardFigure.DELETED, counts.deleted.sum())
        .put(ShardFigure.DELETE_MILLIS, millis(deleteNanos))
        .put(ShardFigure.DELETE_CURRENT, counts.deleting.get())
        .put(ShardFigure.BULKS, counts.bulks.sum())
        .put(ShardFigure.BULK_MILLIS, millis(counts.bulkNanos.sum()))
        .put(ShardFigure.BULK_BYTES, counts.bulkBytes.sum())
        .put(ShardFigure.REFRESHES, counts.refreshes.sum())
        .put(ShardFigure.REFRESH_MILLIS, millis(counts.refreshNanos.sum()))
        .put(ShardFigure.FLUSHES, counts.flushes.sum())
        .put(ShardFigure.FLUSH_MILLIS, millis(counts.flushNanos.sum()))
        .put(ShardFigure.MERGES, counts.merges.sum())
        .put(ShardFigure.MERGE_MILLIS, millis(counts.mergeNanos.sum()))
        .put(ShardFigure.MERGED_DOCUMENTS, counts.mergedDocuments.sum())
        .put(ShardFigure.MERGED_BYTES, counts.mergedBytes.sum())
        .put(ShardFigure.CURRENT_MERGES, counts.currentMerges.get())
        .put(ShardFigure.CURRENT_MERGE_DOCUMENTS, counts.currentMergeDocuments.get())
        .put(ShardFigure.CURRENT_MERGE_BYTES, counts.currentMergeBytes.get())
        .put(ShardFigure.GETS, counts.gets.sum())
        .put(ShardFigure.GET_MILLIS, millis(counts.getNanos.sum()))
        .put(ShardFigure.GETS_FOUND, counts.getsFound.sum())
        .put(ShardFigure.GET_FOUND_MILLIS, millis(counts.getFoundNanos.sum()))
        .put(ShardFigure.GET_CURRENT, counts.getting.get())
        .put(
            ShardFigure.LOG_OPERATIONS,
            counts.logOperations.get() - counts.logOperationsUploaded.get())
        .put(ShardFigure.LOG_BYTES, counts.logBytes.get() - counts.logBytesUploaded.get())
        .put(ShardFigure.UPLOADS, counts.uploads.sum())
        .put(ShardFigure.UPLOADED_BYTES, counts.uploadedBytes.sum())
        .put(ShardFigure.WRITER_BYTES, bufferBytes)
        .put(ShardFigure.VERSION_MAP_BYTES, engine.versions.bytes())
        .put(ShardFigure.MILLI_LOAD, milli(load.allTime()))
        .put(ShardFigure.RECENT_MILLI_LOAD, milli(load.threads()))
        .put(ShardFigure.PEAK_MILLI_LOAD, milli(load.peak()))
        .stats();
  }

  /// Of a shard that was not opened here.
  ///
  /// @param bytes of the newest commit's files
  public static ShardStats ofClosed(SegmentCounts segments, long bytes, long maxSeqNo) {
    return new Figures(segments, bytes, maxSeqNo).stats();
  }

  private static final class Figures {
    private final Map<ShardFigure, Long> figures = new EnumMap<>(ShardFigure.class);

    Figures(SegmentCounts segments, long bytes, long maxSeqNo) {
      put(DOCUMENTS, segments.documents());
      put(DELETED_DOCUMENTS, segments.deleted());
      put(STORE_BYTES, bytes);
      put(SEGMENTS, segments.segments());
      put(MAX_SEQ_NO, maxSeqNo);
    }

    Figures put(ShardFigure figure, long number) {
      figures.put(figure, number);
      return this;
    }

    ShardStats stats() {
      return new ShardStats(figures);
    }
  }

  public long figure(ShardFigure figure) {
    return figures.getOrDefault(figure, 0L);
  }

  public ShardStats with(ShardFigure figure, long number) {
    Map<ShardFigure, Long> others = new EnumMap<>(figures);
    others.put(figure, number);
    return new ShardStats(others);
  }

  /// With one flush more, which took no time.
  public ShardStats flushed() {
    return with(FLUSHES, figure(FLUSHES) + 1);
  }

  /// Both together.
  public ShardStats plus(ShardStats other) {
    Map<ShardFigure, Long> both = new EnumMap<>(ShardFigure.class);
    for (ShardFigure figure : ShardFigure.values()) {
      both.put(figure, figure.together(figure(figure), other.figure(figure)));
    }
    return new ShardStats(both);
  }

  /// All of them, in order.
  long[] numbers() {
    return Arrays.stream(ShardFigure.values()).mapToLong(this::figure).toArray();
  }

  public long documents() {
    return figure(DOCUMENTS);
  }

  public long deletedDocuments() {
    return figure(DELETED_DOCUMENTS);
  }

  public long storeBytes() {
    return figure(STORE_BYTES);
  }

  public long segments() {
    return figure(SEGMENTS);
  }

  public long maxSeqNo() {
    return figure(MAX_SEQ_NO);
  }

  /// Threads that its writes have kept busy since it was opened.
  public double load() {
    return figure(ShardFigure.MILLI_LOAD) / 1_000.0;
  }

  /// The same lately.
  public double recentLoad() {
    return figure(ShardFigure.RECENT_MILLI_LOAD) / 1_000.0;
  }

  /// The same at most.
  public double peakLoad() {
    return figure(ShardFigure.PEAK_MILLI_LOAD) / 1_000.0;
  }

  private static long milli(double threads) {
    return Math.round(threads * 1_000);
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ShardStats that && Arrays.equals(numbers(), that.numbers());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(numbers());
  }
}
