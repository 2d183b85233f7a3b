package dev.holdfast.api.indices.alias;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// The options of an alias: as sent in, as kept and as shown.
public final class Aliases {
  /// Other ways in which clients write the names of options.
  private static final Map<String, String> OLD_NAMES =
      Map.of(
          "indexRouting", "index_routing",
          "index-routing", "index_routing",
          "searchRouting", "search_routing",
          "search-routing", "search_routing");

  private Aliases() {}

  private static @Nullable String routing(JsonObject object, String member) {
    JsonNode given = object.node().get(member);
    if (given != null && given.isBoolean()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "["
              + object.context()
              + "] "
              + member
              + " doesn't support values of type: VALUE_BOOLEAN");
    }
    return object.string(member);
  }

  /// Options under the names that they have now.
  private static JsonNode renamed(JsonNode options) {
    if (!options.isObject() || OLD_NAMES.keySet().stream().noneMatch(options::has)) {
      return options;
    }
    ObjectNode renamed = Json.object();
    options
        .properties()
        .forEach(
            one -> renamed.set(OLD_NAMES.getOrDefault(one.getKey(), one.getKey()), one.getValue()));
    return renamed;
  }

  /// `routing` stands for both kinds of routing.
  public static ObjectNode read(String alias, JsonNode options) {
    JsonObject object = JsonObject.of(alias, renamed(options));
    ObjectNode kept = Json.object();
    JsonNode filter = object.take("filter");
    if (filter != null && !filter.isNull()) {
      try {
        var _ = Queries.parse(filter);
      } catch (Refusal e) {
        throw new Refusal(
            ErrorType.ILLEGAL_ARGUMENT, "failed to parse filter for alias [" + alias + "]", e);
      }
      kept.set("filter", filter);
    }
    String routing = routing(object, "routing");
    String indexRouting = routing(object, "index_routing");
    String searchRouting = routing(object, "search_routing");
    if (indexRouting != null || routing != null) {
      String one = indexRouting == null ? routing : indexRouting;
      if (one != null && one.indexOf(',') >= 0) {
        throw Refusal.badArgument(
            "alias [" + alias + "] has several index routing values associated with it");
      }
      kept.put("index_routing", one);
    }
    if (searchRouting != null || routing != null) {
      kept.put("search_routing", searchRouting == null ? routing : searchRouting);
    }
    if (object.has("is_write_index")) {
      kept.put("is_write_index", object.bool("is_write_index", false));
    }
    if (object.has("is_hidden")) {
      kept.put("is_hidden", object.bool("is_hidden", false));
    }
    object.done();
    return kept;
  }

  /// The same of an index that is made: each option is of its kind.
  public static ObjectNode readDefined(String alias, JsonNode options) {
    for (Map.Entry<String, JsonNode> option : options.properties()) {
      String name = option.getKey();
      JsonNode value = option.getValue();
      boolean isFlag = name.equals("is_write_index") || name.equals("is_hidden");
      if (isFlag && value.isTextual()) {
        throw Refusal.badArgument(
            "Unsupported String type value ["
                + value.asText()
                + "] for field ["
                + name
                + "] in alias ["
                + alias
                + "]");
      }
      boolean isFit = name.equals("filter") ? value.isObject() : isFlag || value.isTextual();
      if (value.isNull() || !isFit) {
        throw Refusal.badArgument(
            "Unknown token [" + JsonObject.token(value) + "] in alias [" + alias + "]");
      }
    }
    return read(alias, options);
  }

  /// The same of an alias that is added: none is null.
  static ObjectNode readAdded(String alias, JsonNode options) {
    for (JsonNode value : options) {
      if (value.isNull()) {
        throw new Refusal(ErrorType.PARSING, "Unexpected token [VALUE_NULL]");
      }
    }
    return read(alias, options);
  }

  /// @throws Refusal when two indices of a state say that an alias writes to them
  public static void requireOneWriteIndex(ClusterState state, String alias) {
    List<String> writers =
        state.indices().values().stream()
            .filter(i -> isWriteIndex(i.aliases().get(alias)))
            .map(i -> i.id().name())
            .toList();
    if (writers.size() > 1) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "alias ["
              + alias
              + "] has more than one write index ["
              + String.join(",", writers)
              + "]");
    }
  }

  /// Refuses a name for an alias of indices that is one of data streams already.
  ///
  /// @throws Refusal `illegal_argument_exception`
  public static void requireNoneOfStreams(ClusterState state, String alias) {
    if (!DataStreams.aliased(state, alias).isEmpty()) {
      throw ofBoth(alias);
    }
  }

  /// Refuses a name for an alias of data streams that an index, a stream or an alias of indices
  /// has.
  ///
  /// @throws Refusal `illegal_argument_exception`, `invalid_alias_name_exception`
  public static void requireNoneOfIndices(ClusterState state, String alias) {
    if (state.indices().containsKey(alias) || DataStreams.of(state, alias) != null) {
      throw nameInUse(alias);
    }
    if (state.indices().values().stream().anyMatch(i -> i.aliases().containsKey(alias))) {
      throw ofBoth(alias);
    }
  }

  private static Refusal ofBoth(String alias) {
    return Refusal.badArgument("[" + alias + "] is both a data stream alias and an index alias");
  }

  /// The refusal of an alias that is called as an index or a stream is.
  public static Refusal nameInUse(String alias) {
    return new Refusal(
        ErrorType.INVALID_ALIAS_NAME,
        "Invalid alias name ["
            + alias
            + "]: an index or data stream exists with the same name as the alias");
  }

  private static boolean isWriteIndex(@Nullable ObjectNode options) {
    return options != null && options.path("is_write_index").asBoolean(false);
  }

  /// Refuses an alias that routes documents which their dimensions route.
  ///
  /// @param settings of the index
  /// @throws Refusal `illegal_argument_exception`
  public static void requireNoRouting(SortedMap<String, Object> settings, JsonNode alias) {
    boolean routes =
        alias.has("routing") || alias.has("index_routing") || alias.has("search_routing");
    if (routes && TimeSeries.is(settings)) {
      throw Refusal.badArgument(
          "routing is forbidden on CRUD operations that target indices in"
              + " [index.mode=time_series]");
    }
  }
}
