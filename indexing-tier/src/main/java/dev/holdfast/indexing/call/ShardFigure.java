package dev.holdfast.indexing.call;

/// What is counted of an indexing shard: since it was opened on its node, or as of now. Sizes are
/// in bytes, times in milliseconds.
///
/// New ones go to the end: nodes of other builds read them by position.
public enum ShardFigure {
  /// As of the newest commit, as are the next two.
  DOCUMENTS,
  DELETED_DOCUMENTS,
  STORE_BYTES,
  INDEXED,
  /// Without deletes.
  INDEX_MILLIS,
  INDEX_FAILED,
  VERSION_CONFLICTS,
  DELETED,
  NOOP_UPDATES,
  REFRESHES,
  REFRESH_MILLIS,
  FLUSHES,
  FLUSH_MILLIS,
  MERGES,
  MERGE_MILLIS,
  MERGED_DOCUMENTS,
  MERGED_BYTES,
  CURRENT_MERGES,
  /// Real-time gets, those of updates among them.
  GETS,
  /// Operations in the log that no upload covers.
  LOG_OPERATIONS,
  LOG_BYTES,
  SEGMENTS,
  MAX_SEQ_NO(true),
  UPLOADS,
  UPLOADED_BYTES,
  /// Thousandths of threads that writes have kept busy since the shard was opened; lately, and at
  /// most, the next two.
  MILLI_LOAD,
  RECENT_MILLI_LOAD,
  PEAK_MILLI_LOAD,
  INDEX_CURRENT,
  DELETE_MILLIS,
  DELETE_CURRENT,
  GET_MILLIS,
  GETS_FOUND,
  GET_FOUND_MILLIS,
  GET_CURRENT,
  /// Requests of operations for the shard, however many each.
  BULKS,
  /// Until they were applied, whether durable by then or not.
  BULK_MILLIS,
  BULK_BYTES,
  CURRENT_MERGE_DOCUMENTS,
  CURRENT_MERGE_BYTES,
  /// The indexing buffer.
  WRITER_BYTES,
  VERSION_MAP_BYTES;

  /// Whether several shards have the greatest of theirs; else they have the sum.
  private final boolean isGreatest;

  ShardFigure() {
    this(false);
  }

  ShardFigure(boolean isGreatest) {
    this.isGreatest = isGreatest;
  }

  /// Of several shards.
  long together(long one, long other) {
    return isGreatest ? Math.max(one, other) : one + other;
  }
}
