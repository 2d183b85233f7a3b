package dev.holdfast.node.wiring;

import dev.holdfast.api.stats.CollectionPauses;
import dev.holdfast.http.server.CallCounters;
import dev.holdfast.http.server.HttpCounters;
import dev.holdfast.http.server.RequestBytes;
import java.util.function.IntSupplier;

/// What all rooms of a process share.
///
/// @param port that is served
/// @param connections of clients, open now
/// @param startMillis epoch milliseconds
public record ProcessParts(
    int port,
    long startMillis,
    HttpCounters http,
    CallCounters calls,
    RequestBytes requestBytes,
    IntSupplier connections,
    CollectionPauses pauses) {}
