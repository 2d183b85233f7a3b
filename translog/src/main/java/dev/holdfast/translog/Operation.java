package dev.holdfast.translog;

import org.jspecify.annotations.Nullable;

/// One change of a shard as the log keeps it.
public sealed interface Operation {
  /// Its place among all operations of the shard.
  long seqNo();

  /// A document written.
  ///
  /// @param isAppend the id was made by the server and never existed before
  /// @param bytes holds the document as received, at `[offset, offset + length)`
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record Index(
      long seqNo,
      long version,
      String id,
      @Nullable String routing,
      boolean isAppend,
      byte[] bytes,
      int offset,
      int length)
      implements Operation {}

  /// A document deleted.
  record Delete(long seqNo, long version, String id) implements Operation {}
}
