package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.script.StoredScripts;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.api.search.SearchSlices;
import dev.holdfast.api.tasks.TasksApi;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.type.Shape;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What `_reindex`, `_update_by_query` and `_delete_by_query` read alike from a request.
final class ByQueryParameters {
  /// `max_docs` of a request that has no limit.
  private static final int ALL_DOCUMENTS = -1;

  /// `slices` of a request that leaves their number to us.
  private static final int SLICES_AUTO = 0;

  private static final int SLICES_AUTO_MAX = 20;

  /// Whatever indices allow: each slice has a progress of its own, from the beginning.
  private static final int SLICES_MAX = 10_000;

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

  /// Whether version conflicts are counted only.
  static boolean proceeds(String conflicts) {
    return switch (conflicts) {
      case "proceed" -> true;
      case "abort" -> false;
      default ->
          throw Refusal.badArgument(
              "conflicts may only be \"proceed\" or \"abort\" but was [" + conflicts + "]");
    };
  }

  /// The same of a search that has a `conflicts` member, which is taken out; the URL wins.
  static boolean proceeds(ApiRequest request, ObjectNode body) {
    JsonNode given = taken(body, "conflicts");
    if (given != null && !given.isTextual()) {
      throw wrongKind("conflicts", "text", given);
    }
    boolean inBody = given != null && proceeds(given.asText());
    String inUrl = request.text("conflicts");
    return inUrl == null ? inBody : proceeds(inUrl);
  }

  /// The `max_docs` of a search, which is taken out; null for none.
  static @Nullable Integer documentsMax(ObjectNode body) {
    JsonNode given = taken(body, "max_docs");
    if (given == null) {
      return null;
    }
    if (!given.isNumber() || !given.canConvertToInt()) {
      throw wrongKind("max_docs", "whole number", given);
    }
    return given.intValue();
  }

  /// Null is as good as nothing.
  private static @Nullable JsonNode taken(ObjectNode body, String name) {
    JsonNode given = body.remove(name);
    return given == null || given.isNull() ? null : given;
  }

  private static Refusal wrongKind(String name, String kind, JsonNode given) {
    return Refusal.badArgument("[" + name + "] must be a " + kind + " but was [" + given + "]");
  }

  /// How many documents are written at most; -1 for all.
  ///
  /// @param inBody what the body says; null for nothing
  /// @param slices as [#slicesAsked] reads them
  static int documentsMax(ApiRequest request, @Nullable Integer inBody, int slices) {
    String name = request.has("max_docs") || !request.has("size") ? "max_docs" : "size";
    Integer inUrl = request.has(name) ? (Integer) request.integer(name, ALL_DOCUMENTS) : null;
    if (inBody != null && inUrl != null && !inBody.equals(inUrl)) {
      throw Refusal.badArgument(
          "[max_docs] set to two different values [" + inBody + "] and [" + inUrl + "]");
    }
    Integer max = inUrl == null ? inBody : inUrl;
    if (max == null) {
      return ALL_DOCUMENTS;
    }
    if (max < 0) {
      throw Refusal.badArgument("[max_docs] parameter cannot be negative, found [" + max + "]");
    }
    if (max < Math.max(slices, 1)) {
      throw Refusal.badArgument("[max_docs] should be >= [slices]");
    }
    return max;
  }

  /// Hits of a page as the URL says; null when it does not.
  static @Nullable Integer batch(ApiRequest request) {
    return request.has("scroll_size") ? (Integer) request.integer("scroll_size", 0) : null;
  }

  static float pace(ApiRequest request) {
    return TasksApi.pace(request.text("requests_per_second", "-1"));
  }

  /// How many slices the request asks for; 0 for `auto`.
  static int slicesAsked(ApiRequest request) {
    String given = request.text("slices", "1");
    if (given.equals("auto")) {
      return SLICES_AUTO;
    }
    int slices;
    try {
      slices = Integer.parseInt(given);
    } catch (NumberFormatException e) {
      slices = 0;
    }
    if (slices < 1) {
      throw Refusal.badArgument(
          "[slices] must be a positive integer or the string \"auto\", but was [" + given + "]");
    }
    if (slices > SLICES_MAX) {
      throw Refusal.badArgument(
          "The number of slices ["
              + slices
              + "] is too large. It must be less than ["
              + SLICES_MAX
              + "].");
    }
    return slices;
  }

  /// How many slices run.
  ///
  /// @param asked as [#slicesAsked] reads them
  /// @param indices that are searched
  /// @param part that the request is for; null for the whole
  /// @throws Refusal when an index allows fewer
  static int slices(
      int asked, List<IndexMetadata> indices, ShardTarget.@Nullable Slice part, int documentsMax) {
    int slices = asked;
    if (asked == SLICES_AUTO) {
      slices = indices.isEmpty() ? 1 : SLICES_AUTO_MAX;
      for (IndexMetadata index : indices) {
        slices = Math.min(slices, index.shards());
      }
      slices = documentsMax == ALL_DOCUMENTS ? slices : Math.min(slices, documentsMax);
    }
    SearchSlices.requireAllowed(part, indices);
    SearchSlices.requireAllowed(new ShardTarget.Slice(0, slices, null), indices);
    return slices;
  }

  static Duration keepAlive(ApiRequest request) {
    return Scrolls.keepAlive("scroll", request.text("scroll", "5m"));
  }

  static int copiesWanted(ApiRequest request) {
    String given = request.text("wait_for_active_shards", "1");
    return given.equals("all") ? 1 : request.integer("wait_for_active_shards", 1);
  }

  /// The `script` of a search, which is taken out, compiled for its context; null for none.
  static @Nullable ScriptSource script(ObjectNode body, Shape shape, ClusterState state) {
    JsonNode given = taken(body, "script");
    if (given != null && !given.isTextual() && !given.isObject()) {
      throw Refusal.badArgument(
          "Script value should be a String or a Map but was [" + JsonObject.token(given) + "]");
    }
    return given == null ? null : compiled(given, shape, state);
  }

  /// A script, compiled for its context.
  static ScriptSource compiled(JsonNode given, Shape shape, ClusterState state) {
    ScriptSource script = ScriptSource.parse(StoredScripts.inline(given, state));
    var _ = Scripts.compiled(script, shape);
    return script;
  }
}
