package dev.holdfast.indexing.operation;

import dev.holdfast.translog.WriteOrigin;
import java.util.List;

/// One of several attempts to bring a write to a shard's owner: when no answer comes, the next may
/// reach the owner while, or before, this one is done.
///
/// @param origin names the write; the same for all its attempts
/// @param number from 1 on
/// @param ordinals the places of the operations in the write; empty for all of them in order
public record WriteAttempt(WriteOrigin origin, int number, List<Integer> ordinals) {
  /// Of a caller that never sends again.
  public static final WriteAttempt ONLY = new WriteAttempt(WriteOrigin.NONE, 1, List.of());

  public WriteAttempt {
    ordinals = List.copyOf(ordinals);
  }

  /// The first attempt, at all of a write.
  public static WriteAttempt first(WriteOrigin origin) {
    return new WriteAttempt(origin, 1, List.of());
  }

  public WriteAttempt next() {
    return new WriteAttempt(origin, number + 1, ordinals);
  }

  /// The same attempt at some of the operations.
  public WriteAttempt at(List<Integer> some) {
    return new WriteAttempt(origin, number, some);
  }

  /// The place in the write of the operation at that place in the attempt.
  public int ordinal(int slot) {
    return ordinals.isEmpty() ? slot : ordinals.get(slot);
  }
}
