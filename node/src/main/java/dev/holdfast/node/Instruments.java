package dev.holdfast.node;

import dev.holdfast.node.api.ProcessGauges;
import dev.holdfast.node.routing.Peers;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreCounters;
import dev.holdfast.world.Network;

/// What can be measured of this node.
///
/// @param store requests to the object store, by purpose
/// @param tiers the parts of this process
/// @param network hears other nodes' questions
/// @param peers the other nodes, to be asked
/// @param looking the store, for what people ask to see
public record Instruments(
    StoreCounters store,
    ProcessGauges process,
    TierParts tiers,
    Network network,
    Peers peers,
    ObjectStore looking) {}
