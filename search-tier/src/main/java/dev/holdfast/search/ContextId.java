package dev.holdfast.search;

/// The name of a commit that is kept open on a node for later searches.
///
/// @param node that holds it (its ephemeral id)
/// @param number on that node, never used again
public record ContextId(String node, long number, ShardContexts.Kind kind) {}
