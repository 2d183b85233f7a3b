package dev.holdfast.api.stats;

import dev.holdfast.http.server.CallCounters;
import dev.holdfast.http.server.HttpCounters;
import dev.holdfast.http.server.RequestBytes;
import dev.holdfast.script.CompiledScripts;
import dev.holdfast.world.Breakers;
import dev.holdfast.world.WorkPool;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/// What this process is busy with.
///
/// @param calls to and from other nodes
/// @param http requests of clients
/// @param requestBytes the breaker of request bodies
/// @param connections of clients, open now
/// @param pools where work waits and runs
/// @param allPools with those of the projects that this process serves
/// @param memory budgets of the heap
/// @param mayServe whether this node may answer what others may have changed
/// @param pauses how long collections of the heap stopped everything
/// @param scripts that this node compiled
public record ProcessGauges(
    HttpCounters http,
    CallCounters calls,
    RequestBytes requestBytes,
    IntSupplier connections,
    List<WorkPool> pools,
    Supplier<List<WorkPool>> allPools,
    Breakers memory,
    BooleanSupplier mayServe,
    CollectionPauses pauses,
    CompiledScripts scripts) {
  public ProcessGauges {
    pools = List.copyOf(pools);
  }
}
