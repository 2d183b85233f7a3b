package dev.holdfast.document;

import dev.holdfast.clusterstate.ShardLayout;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/// Which shard a document belongs to: Murmur3 (x86, 32 bit, seed 0) of the routing or the id, as
/// Elasticsearch: over the text's UTF-16 code units, low byte first; modulo the number of shards,
/// as Elasticsearch since 9.1. So a shard of `n` splits into those of `2 n` that are equal to it
/// modulo `n`; what is so while an index is being split, [ShardLayout] says.
public final class Routing {
  private Routing() {}

  /// @param routing null for none: the id routes
  public static int shard(String id, @Nullable String routing, int shards) {
    return shard(id, routing, ShardLayout.of(shards), 1);
  }

  /// The shard of a document of an index.
  ///
  /// @param routing null for none: the id routes
  /// @param settings flat index settings
  /// @throws Refusal for a routing or an id that no document of a time series can have
  public static int shard(
      String id, @Nullable String routing, ShardLayout layout, SortedMap<String, Object> settings) {
    if (TimeSeries.is(settings)) {
      String index = String.valueOf(settings.get("index.provided_name"));
      if (routing != null) {
        throw Refusal.badArgument(
            "specifying routing is not supported because the destination index ["
                + index
                + "] is in time_series mode");
      }
      return layout.shard(SeriesId.require(id, index).routing());
    }
    return shard(id, routing, layout, partition(settings));
  }

  /// @param routing null for none: the id routes
  /// @param partition shards that documents of one routing are spread over, by their ids
  public static int shard(String id, @Nullable String routing, ShardLayout layout, int partition) {
    if (layout.shards() == 1) {
      return 0;
    }
    int hash = hash(routing == null ? id : routing);
    return layout.shard(
        routing == null || partition == 1 ? hash : hash + Math.floorMod(hash(id), partition));
  }

  /// The shards that documents of one routing are in.
  public static SortedSet<Integer> shards(String routing, ShardLayout layout, int partition) {
    SortedSet<Integer> numbers = new TreeSet<>();
    int hash = hash(routing);
    for (int offset = 0; offset < Math.min(partition, layout.to()); offset++) {
      numbers.add(layout.shard(hash + offset));
    }
    return numbers;
  }

  /// `index.routing_partition_size`.
  ///
  /// @param settings flat index settings
  public static int partition(SortedMap<String, Object> settings) {
    Object given = settings.get("index.routing_partition_size");
    return given == null ? 1 : Integer.parseInt(given.toString());
  }

  /// What a routing or an id is told from others by.
  public static int hash(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_16LE);
    return StringHelper.murmurhash3_x86_32(bytes, 0, bytes.length, 0);
  }
}
