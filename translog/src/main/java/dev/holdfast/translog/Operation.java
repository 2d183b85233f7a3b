package dev.holdfast.translog;

import org.jspecify.annotations.Nullable;

/// One change of a shard as the log keeps it.
public sealed interface Operation {
  /// Its place among all operations of the shard.
  long seqNo();

  long version();

  /// What its client is told, and what tells it from others when it is sent again.
  Sent sent();

  /// How an operation came here.
  ///
  /// @param origin the write that it is part of
  /// @param ordinal its place in that write
  /// @param found whether the document was there before: it was updated rather than created,
  ///   deleted rather than not found
  record Sent(WriteOrigin origin, int ordinal, boolean found) {
    /// Of operations that nobody sends again.
    public static final Sent ONCE = new Sent(WriteOrigin.NONE, 0, false);
  }

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
      int length,
      Sent sent)
      implements Operation {}

  /// A document deleted.
  record Delete(long seqNo, long version, String id, Sent sent) implements Operation {}
}
