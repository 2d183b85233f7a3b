package dev.holdfast.node;

import dev.holdfast.node.http.HttpCounters;
import dev.holdfast.node.http.RequestBytes;
import dev.holdfast.node.routing.Peers;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreCounters;
import dev.holdfast.world.Network;
import dev.holdfast.world.WorkPool;
import java.util.List;
import java.util.function.IntSupplier;

/// What can be measured of this node.
///
/// @param store requests to the object store, by purpose
/// @param http requests of clients
/// @param requestBytes the breaker of request bodies
/// @param connections of clients, open now
/// @param pools where work waits and runs
/// @param tiers the parts of this process
/// @param network hears other nodes' questions
/// @param peers the other nodes, to be asked
/// @param looking the store, for what people ask to see
public record Instruments(
    StoreCounters store,
    HttpCounters http,
    RequestBytes requestBytes,
    IntSupplier connections,
    List<WorkPool> pools,
    TierParts tiers,
    Network network,
    Peers peers,
    ObjectStore looking) {
  public Instruments {
    pools = List.copyOf(pools);
  }
}
