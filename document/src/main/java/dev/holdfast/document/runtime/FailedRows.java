package dev.holdfast.document.runtime;

import dev.holdfast.world.Refusal;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Documents that a script failed on while a column was made: who asks for their values is told so
/// then. Searches that never ask know nothing of it.
final class FailedRows {
  /// Of which each its own reason is kept.
  private static final int REASONS_MAX = 100;

  private final BitSet docs = new BitSet();
  private final Map<Integer, Refusal> reasons = new HashMap<>();
  private @Nullable Refusal last;

  void add(int doc, Refusal reason) {
    docs.set(doc);
    if (reasons.size() < REASONS_MAX) {
      reasons.put(doc, reason);
    }
    last = reason;
  }

  boolean has(int doc) {
    return docs.get(doc);
  }

  /// @throws Refusal what the script failed with; for the many that fail, what it failed with on
  ///   another document
  void requireNot(int doc) {
    if (docs.get(doc)) {
      throw reasons.getOrDefault(doc, Objects.requireNonNull(last));
    }
  }

  /// What the script failed with last: the last document of a segment is no nested object.
  Refusal last() {
    return Objects.requireNonNull(last);
  }

  long bytes() {
    return docs.size() / Byte.SIZE;
  }
}
