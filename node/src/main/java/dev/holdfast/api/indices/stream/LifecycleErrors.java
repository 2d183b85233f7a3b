package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Why the last runs of lifecycles failed, by index: kept in the cluster state, so that every node
/// can tell and the next leader goes on counting.
final class LifecycleErrors {
  private static final String CUSTOM = "data_stream_lifecycle_errors";

  private LifecycleErrors() {}

  /// `{"message", "first_occurrence_millis", "last_recorded_millis", "retry_count"}`; null for an
  /// index whose last run did not fail.
  static @Nullable ObjectNode of(ClusterState state, String index) {
    return kept(state).get(index) instanceof ObjectNode error ? error : null;
  }

  static boolean areAny(ClusterState state) {
    return state.customs().containsKey(CUSTOM);
  }

  /// A state with what a run has met in place of what the one before did.
  ///
  /// @param failed messages by index
  static ClusterState with(ClusterState state, Map<String, String> failed, long nowMillis) {
    ObjectNode before = kept(state);
    ObjectNode after = Json.object();
    failed.forEach((index, message) -> {
      ObjectNode known = before.get(index) instanceof ObjectNode error ? error : null;
      boolean isSame = known != null && known.path("message").asText().equals(message);
      ObjectNode error = after.putObject(index).put("message", message);
      error.put(
          "first_occurrence_millis",
          known != null && isSame ? known.path("first_occurrence_millis").asLong() : nowMillis);
      error.put("last_recorded_millis", nowMillis);
      error.put("retry_count", known != null && isSame ? known.path("retry_count").asInt() + 1 : 0);
    });
    if (after.equals(before)) {
      return state;
    }
    return after.isEmpty() ? state.withoutCustom(CUSTOM) : state.withCustom(CUSTOM, after);
  }

  private static ObjectNode kept(ClusterState state) {
    return state.customs().get(CUSTOM) instanceof ObjectNode object ? object : Json.object();
  }
}
