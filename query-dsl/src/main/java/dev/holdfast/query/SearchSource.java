package dev.holdfast.query;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// The body of a search, read and checked.
///
/// @param body as sent
public record SearchSource(ObjectNode body) {
  /// Reads a search body.
  ///
  /// @throws dev.holdfast.world.Refusal `parsing_exception` and kin for anything unknown or
  ///   malformed
  public static SearchSource parse(ObjectNode body) {
    return new SearchSource(body);
  }
}
