package dev.holdfast.indexing;

/// One of several attempts to bring the same operations to a shard's owner: when no answer comes,
/// the next may reach the owner while, or before, this one is done.
///
/// @param write names the operations
/// @param number from 1 on
public record WriteAttempt(String write, int number) {
  public WriteAttempt next() {
    return new WriteAttempt(write, number + 1);
  }
}
