package dev.holdfast.node.wiring;

import dev.holdfast.api.stats.CollectionPauses;
import dev.holdfast.api.tasks.TierUse;
import dev.holdfast.http.server.CallCounters;
import dev.holdfast.http.server.HttpCounters;
import dev.holdfast.http.server.RequestBytes;
import java.util.function.IntSupplier;

/// What all rooms of a process share.
///
/// @param port that is served
/// @param connections of clients, open now
/// @param startMillis epoch milliseconds
/// @param use what clients of the node need of the tiers, those of its projects with them
public record ProcessParts(
    int port,
    long startMillis,
    HttpCounters http,
    CallCounters calls,
    RequestBytes requestBytes,
    IntSupplier connections,
    CollectionPauses pauses,
    TierUse use) {}
