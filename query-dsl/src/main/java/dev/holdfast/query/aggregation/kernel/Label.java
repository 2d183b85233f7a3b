package dev.holdfast.query.aggregation.kernel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// What the client calls an aggregation, and the `meta` it wants back.
public record Label(String name, @Nullable ObjectNode meta) {}
