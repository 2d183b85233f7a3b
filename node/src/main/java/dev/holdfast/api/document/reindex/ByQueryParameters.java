package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.script.StoredScripts;
import dev.holdfast.api.tasks.TasksApi;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.TimeValue;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.type.Shape;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What `_reindex`, `_update_by_query` and `_delete_by_query` read alike from a request.
final class ByQueryParameters {
  static final int BATCH_DEFAULT = 1000;
  private static final int BATCH_MAX = 10_000;
  private static final int SLICES_AUTO_MAX = 20;

  private ByQueryParameters() {}

  static List<String> names(String... more) {
    List<String> names =
        new ArrayList<>(
            List.of(
                "max_docs",
                "refresh",
                "requests_per_second",
                "scroll",
                "slices",
                "timeout",
                "wait_for_active_shards",
                "wait_for_completion"));
    names.addAll(List.of(more));
    return names;
  }

  /// @param body a `conflicts` member is taken out
  static boolean proceeds(ApiRequest request, ObjectNode body) {
    JsonNode given = body.remove("conflicts");
    String conflicts = given == null ? request.text("conflicts", "abort") : given.asText();
    return switch (conflicts) {
      case "proceed" -> true;
      case "abort" -> false;
      default ->
          throw Refusal.badArgument(
              "conflicts may only be \"proceed\" or \"abort\" but was [" + conflicts + "]");
    };
  }

  /// @param body `max_docs` and `size` members are taken out
  static long documentsMax(ApiRequest request, ObjectNode body, boolean takesSize) {
    JsonNode given = body.remove("max_docs");
    JsonNode size = takesSize ? body.remove("size") : null;
    if (given != null
        && request.has("max_docs")
        && request.longValue("max_docs", -1) != given.asLong()) {
      throw Refusal.badArgument(
          "[max_docs] set to two different values ["
              + given.asLong()
              + "] and ["
              + request.longValue("max_docs", -1)
              + "]");
    }
    long max =
        given != null
            ? given.asLong(Long.MIN_VALUE)
            : size != null
                ? size.asLong(Long.MIN_VALUE)
                : request.longValue(takesSize && request.has("size") ? "size" : "max_docs", -1);
    if (max < -1 || max == 0) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: maxDocs should be greater than 0 if the request is limited to"
              + " some number of documents or -1 if it isn't but it was ["
              + max
              + "];");
    }
    return max;
  }

  static int batch(int given) {
    if (given < 1 || given > BATCH_MAX) {
      throw Refusal.badArgument(
          given < 1
              ? "[size] parameter cannot be negative, found [" + given + "]"
              : "Batch size is too large, size must be less than or equal to: ["
                  + BATCH_MAX
                  + "] but was ["
                  + given
                  + "]. Scroll batch sizes cost as much memory as result windows so they are"
                  + " controlled by the [index.max_result_window] index level setting.");
    }
    return given;
  }

  static float pace(ApiRequest request) {
    return TasksApi.pace(request.text("requests_per_second", "-1"));
  }

  static int slices(ApiRequest request, List<ShardTarget> targets, ClusterState state, long max) {
    String given = request.text("slices", "1");
    int slices;
    if (given.equals("auto") || given.equals("0")) {
      Set<String> names = new TreeSet<>();
      targets.forEach(target -> names.add(target.shard().index().name()));
      slices = SLICES_AUTO_MAX;
      for (String name : names) {
        IndexMetadata index = state.indices().get(name);
        slices = Math.min(slices, index == null ? 1 : index.shards());
      }
      slices = names.isEmpty() ? 1 : slices;
    } else {
      slices = request.integer("slices", 1);
    }
    if (slices < 1) {
      throw Refusal.badArgument(
          "[slices] must be at least 1 or the string \"auto\" but was [" + given + "]");
    }
    if (max > 0 && max < slices) {
      throw Refusal.badArgument("maxDocs should be >= [slices]");
    }
    return slices;
  }

  static Duration keepAlive(ApiRequest request) {
    return TimeValue.parse("scroll", request.text("scroll", "5m"));
  }

  static int copiesWanted(ApiRequest request) {
    String given = request.text("wait_for_active_shards", "1");
    return given.equals("all") ? 1 : request.integer("wait_for_active_shards", 1);
  }

  /// The script of a request, compiled for its context; null for none.
  static @Nullable ScriptSource script(@Nullable JsonNode given, Shape shape, ClusterState state) {
    if (given == null || given.isNull()) {
      return null;
    }
    ScriptSource script = ScriptSource.parse(StoredScripts.inline(given, state));
    var _ = Scripts.compiled(script, shape);
    return script;
  }
}
