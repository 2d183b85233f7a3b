package dev.holdfast.compoundcommit;

/// Where in the logs replay of a commit begins (§5, translog recovery).
///
/// @param nodeEphemeralId whose log
/// @param ordinal the first compound translog file that may hold an operation the commit lacks
public record TranslogPosition(String nodeEphemeralId, long ordinal) {
  /// The position of a commit whose owner gave the shard away, or closed it, with all it had.
  public static final TranslogPosition NOTHING_TO_REPLAY = new TranslogPosition("", 0);
}
