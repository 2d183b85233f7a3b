package dev.holdfast.api.indices.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.indices.lifecycle.WriteLoads.Metric;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.text.Wildcards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How many shards the next index of a data stream gets, by the threads that writes to the one
/// before keep busy (§2.3 of the paper): so many that each is written to with half a node's threads
/// at most. More shards come after a short cool-down, fewer after a long one, and only when no
/// index within it was written to harder.
///
/// @param threadsMin of the smallest node, and `threadsMax` of the largest
/// @param excludes patterns of streams whose templates decide
public record AutoSharding(
    double threadsMin,
    double threadsMax,
    Duration increaseCooldown,
    Duration decreaseCooldown,
    Metric increaseBy,
    Metric decreaseBy,
    List<String> excludes) {
  /// Names of the cluster settings.
  public static final String EXCLUDES = "data_streams.auto_sharding.excludes";

  public static final String THREADS_MIN = "cluster.auto_sharding.min_write_threads";
  public static final String THREADS_MAX = "cluster.auto_sharding.max_write_threads";
  public static final String INCREASE_COOLDOWN =
      "data_streams.auto_sharding.increase_shards.cooldown";
  public static final String DECREASE_COOLDOWN =
      "data_streams.auto_sharding.decrease_shards.cooldown";
  public static final String INCREASE_METRIC =
      "data_streams.auto_sharding.increase_shards.load_metric";
  public static final String DECREASE_METRIC =
      "data_streams.auto_sharding.decrease_shards.load_metric";

  /// Below it more shards come before shards are to be written to by whole nodes.
  private static final int EARLY_SHARDS_MAX = 3;

  /// More than an index can have.
  private static final int SHARDS_MAX = 1024;

  /// What is to be done.
  public enum Kind {
    /// The number of shards is not for the cluster to say, or the load is not known now.
    NOT_APPLICABLE,
    NO_CHANGE_REQUIRED,
    INCREASE_SHARDS,
    COOLDOWN_PREVENTED_INCREASE,
    DECREASE_SHARDS,
    COOLDOWN_PREVENTED_DECREASE
  }

  /// @param target how many shards there should be; 0 when that is not known
  public record Decision(Kind kind, int target) {
    /// Whether the next index gets another number.
    public boolean changes() {
      return kind == Kind.INCREASE_SHARDS || kind == Kind.DECREASE_SHARDS;
    }
  }

  public static AutoSharding of(ClusterState state) {
    return new AutoSharding(
        Double.parseDouble(text(state, THREADS_MIN, "2")),
        Double.parseDouble(text(state, THREADS_MAX, "32")),
        TimeValue.parse(INCREASE_COOLDOWN, text(state, INCREASE_COOLDOWN, "270s")),
        TimeValue.parse(DECREASE_COOLDOWN, text(state, DECREASE_COOLDOWN, "3d")),
        metric(state, INCREASE_METRIC),
        metric(state, DECREASE_METRIC),
        excludes(state));
  }

  private static String text(ClusterState state, String name, String whenAbsent) {
    Object set = state.setting(name);
    return set == null ? whenAbsent : set.toString();
  }

  private static Metric metric(ClusterState state, String name) {
    return Metric.valueOf(text(state, name, "all_time").toUpperCase(Locale.ROOT));
  }

  private static List<String> excludes(ClusterState state) {
    List<String> patterns = new ArrayList<>();
    switch (state.setting(EXCLUDES)) {
      case null -> {}
      case JsonNode list -> list.forEach(one -> patterns.add(one.asText()));
      case List<?> list -> list.forEach(one -> patterns.add(String.valueOf(one)));
      case Object text ->
          Arrays.stream(text.toString().split(",")).map(String::trim).forEach(patterns::add);
    }
    return List.copyOf(patterns);
  }

  /// The number of shards for a load.
  ///
  /// @param load threads
  public int optimal(double load) {
    double early = Math.min(Math.ceil(load / (threadsMin / 2)), EARLY_SHARDS_MAX);
    double late = Math.ceil(load / (threadsMax / 2));
    return (int) Math.min(Math.max(Math.max(early, late), 1), SHARDS_MAX);
  }

  /// Whether streams of a name get their number of shards here.
  ///
  /// @param isSaid the template or the stream says `index.number_of_shards`
  public boolean isFor(String stream, boolean isSaid) {
    return !isSaid && excludes.stream().noneMatch(pattern -> Wildcards.matches(pattern, stream));
  }

  /// What a stream needs now.
  ///
  /// @param isSaid as for [#isFor]
  /// @param load of the index that it is written to; null for unknown
  public Decision decide(
      ClusterState state,
      DataStream stream,
      boolean isSaid,
      @Nullable WriteLoads load,
      long nowMillis) {
    IndexMetadata written = state.indices().get(stream.writeIndex());
    if (!isFor(stream.name(), isSaid) || load == null || written == null) {
      return new Decision(Kind.NOT_APPLICABLE, 0);
    }
    long sinceMillis = nowMillis - lastChangeMillis(state, stream, nowMillis);
    int more = optimal(load.by(increaseBy));
    if (more > written.shards()) {
      boolean isTooSoon = sinceMillis < increaseCooldown.toMillis();
      return new Decision(
          isTooSoon ? Kind.COOLDOWN_PREVENTED_INCREASE : Kind.INCREASE_SHARDS, more);
    }
    int fewer = optimal(hardest(state, stream, load.by(decreaseBy), nowMillis));
    if (fewer < written.shards()) {
      boolean isTooSoon = sinceMillis < decreaseCooldown.toMillis();
      return new Decision(
          isTooSoon ? Kind.COOLDOWN_PREVENTED_DECREASE : Kind.DECREASE_SHARDS, fewer);
    }
    return new Decision(Kind.NO_CHANGE_REQUIRED, written.shards());
  }

  /// When the number of shards changed last; before the first time, when the oldest index was made.
  private static long lastChangeMillis(ClusterState state, DataStream stream, long nowMillis) {
    JsonNode event = stream.autoShardingEvent();
    if (event != null) {
      return event.path("event_time_millis").asLong();
    }
    return stream.indices().stream()
        .map(name -> state.indices().get(name))
        .mapToLong(index -> index == null ? nowMillis : created(index))
        .min()
        .orElse(nowMillis);
  }

  /// The largest load of all indices that were written to within the long cool-down.
  private double hardest(ClusterState state, DataStream stream, double loadNow, long nowMillis) {
    double hardest = loadNow;
    List<String> names = stream.indices();
    for (int i = names.size() - 2; i >= 0; i--) {
      IndexMetadata next = state.indices().get(names.get(i + 1));
      if (next != null && nowMillis - created(next) > decreaseCooldown.toMillis()) {
        break; // the writes went elsewhere before
      }
      WriteLoads load = WriteLoads.of(stream.writeLoad(names.get(i)));
      hardest = load == null ? hardest : Math.max(hardest, load.by(decreaseBy));
    }
    return hardest;
  }

  private static long created(IndexMetadata index) {
    return Long.parseLong(index.setting("index.creation_date", "0"));
  }
}
