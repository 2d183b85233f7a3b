package dev.holdfast.api.tasks;

import org.jspecify.annotations.Nullable;

/// A task that runs, in one line.
public record TaskLine(
    long number,
    String id,
    String action,
    long startMillis,
    long runningNanos,
    @Nullable String opaqueId,
    String description) {}
