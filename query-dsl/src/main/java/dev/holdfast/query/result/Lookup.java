package dev.holdfast.query.result;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// In the place of a value of a `lookup` field, until who coordinates the search has asked another
/// index for it.
///
/// @param index to be asked: a name, or an expression of names
/// @param search the body of the search that finds the value
public record Lookup(String index, ObjectNode search) {}
