package dev.holdfast.indexing.operation;

import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// How one write ended.
public sealed interface WriteResult {
  /// It is durable; when it changed nothing, what it found is.
  ///
  /// @param source the document after an update, unless nobody asked for it; null for none
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record Done(
      String id,
      Effect effect,
      long seqNo,
      long primaryTerm,
      long version,
      byte @Nullable [] source)
      implements WriteResult {}

  /// It was refused; nothing changed, and what it was refused for is durable.
  record Refused(String id, Refusal refusal) implements WriteResult {}

  /// The `result` that clients read.
  enum Effect {
    CREATED,
    UPDATED,
    DELETED,
    NOOP,
    NOT_FOUND
  }
}
