package dev.holdfast.query.slice;

/// Which of several equal shares of a shard's documents, told apart by a field of theirs.
///
/// @param id which share, from 0
/// @param max how many there are
record SliceShare(String field, int id, int max) {
  @Override
  public String toString() {
    return "slice " + id + " of " + max + " by " + field;
  }
}
