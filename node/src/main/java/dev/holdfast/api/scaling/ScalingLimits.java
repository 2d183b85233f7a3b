package dev.holdfast.api.scaling;

import dev.holdfast.autoscaler.ScalingPolicy;
import dev.holdfast.autoscaler.SizeLadder;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.List;

/// What a tier may become, by the settings of the cluster.
///
/// @param nodesMin at any time; 0 when a tier that nobody needs may go away
/// @param nodesMax at any time, `nodesMin` at least
public record ScalingLimits(int nodesMin, int nodesMax, ScalingPolicy policy) {
  public static final String FAMILY = "autoscaling.";
  public static final String INDEX_MIN = "autoscaling.index.min_nodes";
  public static final String INDEX_MAX = "autoscaling.index.max_nodes";
  public static final String SEARCH_MIN = "autoscaling.search.min_nodes";
  public static final String SEARCH_MAX = "autoscaling.search.max_nodes";
  public static final String QUIET = "autoscaling.quiet_time";
  public static final String BETWEEN_STEPS = "autoscaling.step_interval";
  public static final String IDLE = "autoscaling.idle_after";
  public static final String NODES_MIN_DEFAULT = "1";
  public static final String NODES_MAX_DEFAULT = "8";
  public static final String QUIET_DEFAULT = "30m";
  public static final String BETWEEN_STEPS_DEFAULT = "3m";
  public static final String IDLE_DEFAULT = "15m";

  /// @param tier index or search
  static ScalingLimits of(ClusterState state, Role tier) {
    boolean isIndex = tier == Role.INDEX;
    int min = nodes(state, isIndex ? INDEX_MIN : SEARCH_MIN, NODES_MIN_DEFAULT);
    int max = nodes(state, isIndex ? INDEX_MAX : SEARCH_MAX, NODES_MAX_DEFAULT);
    Duration quiet = time(state, QUIET, QUIET_DEFAULT);
    return new ScalingLimits(
        min,
        Math.max(1, Math.max(min, max)),
        ScalingPolicy.defaults()
            .withQuiet(quiet.isPositive() ? quiet : Duration.ofMillis(1))
            .withIdleAfter(time(state, IDLE, IDLE_DEFAULT))
            .withBetweenSteps(time(state, BETWEEN_STEPS, BETWEEN_STEPS_DEFAULT)));
  }

  /// What is meant can be done: no tier has more nodes than [SizeLadder#NODES_MAX].
  ///
  /// @throws Refusal `illegal_argument_exception`
  public static void check(ClusterState state) {
    for (String name : List.of(INDEX_MIN, INDEX_MAX, SEARCH_MIN, SEARCH_MAX)) {
      Object set = state.setting(name);
      if (set != null && Long.parseLong(set.toString()) > SizeLadder.NODES_MAX) {
        throw Refusal.badArgument(
            "Failed to parse value ["
                + set
                + "] for setting ["
                + name
                + "] must be <= "
                + SizeLadder.NODES_MAX);
      }
    }
  }

  private static int nodes(ClusterState state, String name, String byDefault) {
    Object set = state.setting(name);
    long given = Long.parseLong(set == null ? byDefault : set.toString());
    return Math.clamp(given, 0, SizeLadder.NODES_MAX);
  }

  private static Duration time(ClusterState state, String name, String byDefault) {
    Object set = state.setting(name);
    return TimeValue.parse(name, set == null ? byDefault : set.toString());
  }
}
