package dev.holdfast.translog;

/// Counters of the log; guarded by the log's lock.
public final class LogCounters {
  private long operations;
  private long bytes;
  private long uploads;
  private long uploadedBytes;
  private long uploadNanos;

  void appended(int count, int added) {
    operations += count;
    bytes += added;
  }

  void uploaded(long stored, long nanos) {
    uploads++;
    uploadedBytes += stored;
    uploadNanos += nanos;
  }

  Snapshot snapshot(long bufferedBytes, int files) {
    return new Snapshot(
        operations, bytes, uploads, uploadedBytes, uploadNanos / 1_000_000, bufferedBytes, files);
  }

  /// Counters since start.
  ///
  /// @param bytes of operations, before compression
  /// @param uploadedBytes of files, as stored
  /// @param bufferedBytes not durable yet
  /// @param files in the store that some shard still needs
  public record Snapshot(
      long operations,
      long bytes,
      long uploads,
      long uploadedBytes,
      long uploadMillis,
      long bufferedBytes,
      int files) {}
}
