package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.query.sort.SortSpec;
import dev.holdfast.search.context.ContextIds;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The `pit` member of a search.
///
/// @param keepAlive null when the deadline shall stay
record PointInTime(ContextIds ids, String text, @Nullable String keepAlive) {

  static @Nullable PointInTime take(ObjectNode body, ApiRequest request) {
    JsonNode given = body.remove("pit");
    if (given == null) {
      return null;
    }
    if (given.isNull()) {
      throw new Refusal(ErrorType.PARSING, "Unknown key for a VALUE_NULL in [pit].");
    }
    JsonObject pit = JsonObject.of("pit", given);
    String id = pit.string("id");
    String keepAlive = pit.string("keep_alive");
    pit.done();
    if (id == null) {
      throw Refusal.badArgument("point in time id is not provided");
    }
    List<String> faults = new ArrayList<>();
    for (String name :
        List.of(
            "index",
            "routing",
            "preference",
            "ignore_unavailable",
            "allow_no_indices",
            "expand_wildcards",
            "ignore_throttled")) {
      if (request.has(name)) {
        faults.add(
            switch (name) {
              case "index" ->
                  "[indices] cannot be used with point in time. Do not specify any index"
                      + " with point in time.";
              case "routing", "preference" -> "[" + name + "] cannot be used with point in time";
              default -> "[indicesOptions] cannot be used with point in time";
            });
      }
    }
    if (request.has("scroll")) {
      faults.add("using [point in time] is not allowed in a scroll context");
    }
    if (!faults.isEmpty()) {
      StringBuilder all = new StringBuilder("Validation Failed: ");
      for (int i = 0; i < faults.size(); i++) {
        all.append(i + 1).append(": ").append(faults.get(i)).append(';');
      }
      throw new Refusal(ErrorType.ACTION_REQUEST_VALIDATION, all.toString());
    }
    return new PointInTime(ContextIds.parse(ShardContexts.Kind.POINT_IN_TIME, id), id, keepAlive);
  }

  /// Makes the order of hits one that never ties: sorts end with the place of the document.
  static void addTiebreak(ObjectNode body) {
    JsonNode groups = body.path("collapse").path("inner_hits");
    for (JsonNode group : groups.isArray() ? groups : List.of(groups)) {
      if (group instanceof ObjectNode hits) {
        addTiebreak(hits);
      }
    }
    JsonNode sort = body.get("sort");
    if (sort == null || sort.isNull() || (sort.isArray() && sort.isEmpty())) {
      return;
    }
    ArrayNode all = Json.MAPPER.createArrayNode();
    if (sort.isArray()) {
      sort.forEach(all::add);
    } else {
      all.add(sort);
    }
    Set<String> names = new TreeSet<>();
    all.forEach(one -> {
      if (one.isTextual()) {
        names.add(one.asText());
      } else {
        one.fieldNames().forEachRemaining(names::add);
      }
    });
    // A page that begins after values of these sorts alone does not know where a tie stood.
    boolean isWhole = body.path("search_after").size() == all.size();
    if (!names.contains(SortSpec.SHARD_DOC) && !names.contains("_doc") && !isWhole) {
      all.add(SortSpec.SHARD_DOC);
    }
    body.set("sort", all);
  }

  /// The indices it is of, as an index expression.
  String indices() {
    return ids.shards().stream()
        .map(held -> held.shard().index().name())
        .distinct()
        .collect(Collectors.joining(","));
  }

  /// The shards, each at its pinned commit.
  List<ShardTarget> targets(ShardTarget.@Nullable Slice slice) {
    long keepMillis =
        keepAlive == null ? -1 : Scrolls.keepAlive("keep_alive", keepAlive).toMillis();
    return ids.shards().stream()
        .map(held -> new ShardTarget(held.shard(), held.context(), null, slice, keepMillis))
        .toList();
  }
}
