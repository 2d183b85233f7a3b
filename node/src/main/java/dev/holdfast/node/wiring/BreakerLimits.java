package dev.holdfast.node.wiring;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.settings.CacheSettings;
import dev.holdfast.world.Breakers;

/// Keeps the limits of the circuit breakers at what the cluster's settings say:
/// `indices.breaker.total.limit`, `indices.breaker.request.limit` and
/// `indices.breaker.fielddata.limit`, each a size or a percentage of the heap.
public final class BreakerLimits {
  public static final String TOTAL = "indices.breaker.total.limit";
  public static final String REQUEST = "indices.breaker.request.limit";

  public static final String FIELD_DATA = "indices.breaker.fielddata.limit";

  private BreakerLimits() {}

  static void follow(Metadata metadata, Breakers breakers) {
    metadata.listen((before, now) -> apply(now, breakers));
  }

  private static void apply(ClusterState state, Breakers breakers) {
    breakers
        .heap()
        .limit(
            state.setting(TOTAL) == null
                ? breakers.heap().limitDefault()
                : bytes(state, TOTAL, Breakers.TOTAL_PERCENT));
    breakers.request().limit(bytes(state, REQUEST, Breakers.REQUEST_PERCENT));
    breakers.fieldData().limit(bytes(state, FIELD_DATA, Breakers.FIELD_DATA_PERCENT));
  }

  private static long bytes(ClusterState state, String name, int percent) {
    Object set = state.setting(name);
    return CacheSettings.share(name, set == null ? percent + "%" : set.toString()).bytes();
  }
}
