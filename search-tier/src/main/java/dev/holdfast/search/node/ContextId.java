package dev.holdfast.search.node;

/// The name of a commit that is kept open on a node for later searches.
///
/// @param node that holds it (its ephemeral id)
/// @param number on that node, never used again
/// @param pin the point in time it belongs to, by which any other node finds the commit in the
///   store; empty for none
public record ContextId(String node, long number, ShardContexts.Kind kind, String pin) {
  public ContextId(String node, long number, ShardContexts.Kind kind) {
    this(node, number, kind, "");
  }

  /// One that no node holds.
  public static ContextId none(ShardContexts.Kind kind) {
    return new ContextId("", 0, kind);
  }

  /// Whether the commit can be had without the node.
  public boolean isPinned() {
    return !pin.isEmpty();
  }
}
