package dev.holdfast.simulation.fortnight;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// How many shards the next index of a stream is to have: the formula of autosharding, anew.
///
/// @param written by the index that data came from first
record ShardFormula(ClusterState state, Map<String, WrittenIndex> written, long nowMillis) {
  private static final long INCREASE_COOLDOWN = 270_000;
  private static final long DECREASE_COOLDOWN = 3 * StreamPlan.DAY;

  static long created(IndexMetadata index) {
    return Long.parseLong(index.setting("index.creation_date", "0"));
  }

  private IndexMetadata index(String name) {
    return Objects.requireNonNull(state.indices().get(name), name);
  }

  int expected(DataStream stream) {
    int now = index(stream.writeIndex()).shards();
    double load = rounded(load(stream.writeIndex(), nowMillis), now);
    long changed =
        stream.json().has("auto_sharding")
            ? stream.json().path("auto_sharding").path("event_time_millis").asLong()
            : stream.indices().stream().mapToLong(name -> created(index(name))).min().orElseThrow();
    if (optimal(load) > now) {
      return nowMillis - changed >= INCREASE_COOLDOWN ? optimal(load) : now;
    }
    double hardest = load;
    List<String> names = stream.indices();
    for (int i = 0; i < names.size() - 1; i++) {
      long end = created(index(names.get(i + 1)));
      if (nowMillis - end <= DECREASE_COOLDOWN) {
        hardest = Math.max(hardest, rounded(load(names.get(i), end), index(names.get(i)).shards()));
      }
    }
    return optimal(hardest) < now && nowMillis - changed >= DECREASE_COOLDOWN
        ? optimal(hardest)
        : now;
  }

  private double load(String name, long atMillis) {
    return Objects.requireNonNull(written.get(StreamPromises.origin(name)), name).load(atMillis);
  }

  /// As shards tell it: thousandths of a thread each.
  private static double rounded(double load, int shards) {
    return Math.round(load / shards * 1_000) * shards / 1_000.0;
  }

  private static int optimal(double load) {
    int early = (int) Math.min(Math.ceil(load), 3);
    return Math.max(Math.max(early, (int) Math.ceil(load / 16)), 1);
  }
}
