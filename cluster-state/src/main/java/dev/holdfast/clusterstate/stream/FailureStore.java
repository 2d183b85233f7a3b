package dev.holdfast.clusterstate.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which data streams keep the documents that they cannot take: those whose options say so, and
/// those whose options say nothing and whose name a cluster setting matches.
public final class FailureStore {
  /// Names the cluster setting: patterns of names, as a list or between commas.
  public static final String ENABLED = "data_streams.failure_store.enabled";

  private FailureStore() {}

  public static boolean isEnabled(ClusterState state, DataStream stream) {
    return isEnabled(state, stream.name(), stream.options());
  }

  /// The same of a stream that is about to be made.
  ///
  /// @param options `{"failure_store": {"enabled"?}}`; null for none
  public static boolean isEnabled(ClusterState state, String name, @Nullable ObjectNode options) {
    JsonNode said = options == null ? null : options.path("failure_store").get("enabled");
    if (said != null && !said.isNull()) {
      return said.asBoolean();
    }
    return !name.startsWith(".")
        && patterns(state).stream().anyMatch(pattern -> Wildcards.matches(pattern, name));
  }

  private static List<String> patterns(ClusterState state) {
    List<String> patterns = new ArrayList<>();
    switch (state.setting(ENABLED)) {
      case null -> {}
      case JsonNode list -> list.forEach(one -> patterns.add(one.asText()));
      case List<?> list -> list.forEach(one -> patterns.add(String.valueOf(one)));
      case Object text ->
          Arrays.stream(text.toString().split(",")).map(String::trim).forEach(patterns::add);
    }
    patterns.removeIf(String::isEmpty);
    return patterns;
  }
}
