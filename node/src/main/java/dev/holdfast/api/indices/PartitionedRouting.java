package dev.holdfast.api.indices;

import dev.holdfast.document.Mapping;
import dev.holdfast.document.Routing;
import dev.holdfast.world.Refusal;
import java.util.SortedMap;

/// `index.routing_partition_size`: documents of one routing are spread over several shards, so each
/// must have a routing.
final class PartitionedRouting {
  /// An index is made to be split into so many shards (as a power of two) when it does not say.
  private static final int SPLIT_BITS = 10;

  private PartitionedRouting() {}

  /// @throws Refusal `illegal_argument_exception`
  static void check(String index, SortedMap<String, Object> settings, Mapping mapping) {
    int partition = Routing.partition(settings);
    if (partition == 1) {
      return;
    }
    int shards = Integer.parseInt(String.valueOf(settings.get("index.number_of_shards")));
    Object given = settings.get("index.number_of_routing_shards");
    int routed = given == null ? routingShards(shards) : Integer.parseInt(given.toString());
    if (partition >= routed) {
      throw Refusal.badArgument(
          "routing partition size ["
              + partition
              + "] should be a positive number less than the number of routing shards ["
              + routed
              + "] for ["
              + index
              + "]");
    }
    if (!mapping.isRoutingRequired()) {
      throw Refusal.badArgument(
          "mapping type [_doc] must have routing required for partitioned index [" + index + "]");
    }
  }

  private static int routingShards(int shards) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(shards - 1);
    return shards << Math.max(1, SPLIT_BITS - bits);
  }
}
