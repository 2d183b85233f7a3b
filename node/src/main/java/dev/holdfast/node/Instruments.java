package dev.holdfast.node;

import dev.holdfast.node.http.HttpCounters;
import dev.holdfast.node.http.RequestBytes;
import dev.holdfast.objectstore.StoreCounters;
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
public record Instruments(
    StoreCounters store,
    HttpCounters http,
    RequestBytes requestBytes,
    IntSupplier connections,
    List<WorkPool> pools) {
  public Instruments {
    pools = List.copyOf(pools);
  }
}
