package dev.holdfast.world;

/// Names that never repeat.
public interface Ids {
  /// A document id of 20 URL-safe characters, roughly ordered by time so that terms of one bulk
  /// share prefixes.
  String documentId();

  /// A random name of 22 URL-safe characters: index, cluster and node ids.
  String uuid();
}
