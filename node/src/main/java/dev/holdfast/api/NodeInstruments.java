package dev.holdfast.api;

import dev.holdfast.api.stats.ProcessGauges;
import dev.holdfast.api.stats.TierParts;
import dev.holdfast.api.tasks.TierUse;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.routing.RemoteMembers;
import dev.holdfast.world.Network;

/// What can be measured of this node.
///
/// @param store requests to the object store, by purpose
/// @param tiers the parts of this process
/// @param network hears other nodes' questions
/// @param peers the other nodes, to be asked
/// @param looking the store, for what people ask to see
/// @param use what clients need of the tiers
public record NodeInstruments(
    StoreCounters store,
    ProcessGauges process,
    TierParts tiers,
    Network network,
    RemoteMembers peers,
    ObjectStore looking,
    TierUse use) {}
