package dev.holdfast.clusterstate.allocation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.Json;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The loads of a member's shards as its beats carry them: only those that matter, and no more than
/// fit, however many shards it has (about 5 KiB).
///
/// @param shards by [#key]
public record LoadReport(SortedMap<String, ShardLoad> shards) {
  static final LoadReport EMPTY = new LoadReport(new TreeMap<>());

  static final int SHARDS_MAX = 100;

  /// Less is as good as nothing.
  static final double WRITES_MIN = 0.01;

  static final long BYTES_MIN = 64L << 20;

  /// So many bytes matter as much as a thread that writes.
  private static final double BYTES_A_THREAD = 16L << 30;

  public LoadReport {
    shards = Collections.unmodifiableSortedMap(new TreeMap<>(shards));
  }

  public static LoadReport of(Map<ShardId, ShardLoad> loads) {
    SortedMap<String, ShardLoad> shards = new TreeMap<>();
    loads.entrySet().stream()
        .filter(one -> isWorthTelling(one.getValue()))
        .sorted(
            Comparator.comparingDouble((Map.Entry<ShardId, ShardLoad> one) -> -size(one.getValue()))
                .thenComparing(one -> key(one.getKey())))
        .limit(SHARDS_MAX)
        .forEach(one -> shards.put(key(one.getKey()), one.getValue()));
    return new LoadReport(shards);
  }

  private static boolean isWorthTelling(ShardLoad load) {
    return load.writes() >= WRITES_MIN || load.bytes() >= BYTES_MIN;
  }

  private static double size(ShardLoad load) {
    return load.writes() + load.bytes() / BYTES_A_THREAD;
  }

  /// A shard, in few characters.
  static String key(ShardId shard) {
    return shard.index().uuid() + "/" + shard.number();
  }

  public ObjectNode json() {
    ObjectNode json = Json.object();
    shards.forEach((shard, load) ->
        json.putArray(shard).add(Math.round(load.writes() * 1000)).add(load.bytes() >> 20));
    return json;
  }

  public static LoadReport of(JsonNode json) {
    SortedMap<String, ShardLoad> shards = new TreeMap<>();
    json.properties().stream()
        .limit(SHARDS_MAX)
        .forEach(one -> {
          double writes = Math.max(0, one.getValue().path(0).asDouble() / 1000);
          long mebibytes = Math.clamp(one.getValue().path(1).asLong(), 0, 1L << 40);
          shards.put(one.getKey(), new ShardLoad(writes, mebibytes << 20));
        });
    return new LoadReport(shards);
  }
}
