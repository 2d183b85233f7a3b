package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.search.lookup.Preference;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.Routing;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Which shards a search means, and through which filters it sees them: names and patterns, the
/// filters of aliases, the routings of those that are named without wildcards, `routing` and
/// `preference` of the request.
public final class SearchTargets {
  private SearchTargets() {}

  /// @param expression names and patterns between commas; empty for all
  /// @param routing values between commas; null for all shards, empty for none
  /// @param preference `_shards:0,1` narrows, others choose among equal copies; null for none
  public static List<ShardTarget> of(
      ClusterState state,
      String expression,
      IndexExpression.Options options,
      @Nullable String routing,
      @Nullable String preference,
      ShardTarget.@Nullable Slice slice) {
    return of(state, expression, options, routing, preference, slice, IndexBlocks::requireReadable);
  }

  /// The same for a request that tells of them and reads no document: blocks of reads don't matter.
  static List<ShardTarget> told(
      ClusterState state,
      String expression,
      IndexExpression.Options options,
      @Nullable String routing,
      @Nullable String preference) {
    return of(state, expression, options, routing, preference, null, IndexBlocks::requireShowable);
  }

  private static List<ShardTarget> of(
      ClusterState state,
      String expression,
      IndexExpression.Options options,
      @Nullable String routing,
      @Nullable String preference,
      ShardTarget.@Nullable Slice slice,
      Consumer<IndexMetadata> check) {
    Set<Integer> preferred = Preference.shards(preference);
    List<ShardTarget> targets = new ArrayList<>();
    for (IndexMetadata index : IndexExpression.resolve(state, expression, options)) {
      check.accept(index);
      IndexExpression.Naming naming = IndexExpression.naming(state, index, expression, options);
      JsonNode filter = filter(naming.aliases());
      Set<Integer> numbers =
          shards(index, naming.isOutright() ? naming.aliases() : List.of(), routing);
      if (preferred != null) {
        numbers.retainAll(preferred);
      }
      for (int number : numbers) {
        targets.add(ShardTarget.of(index, number).through(filter).part(slice));
      }
    }
    return targets;
  }

  /// All shards that the index of a `lookup` field stands for.
  public static List<ShardTarget> lookedUp(ClusterState state, String expression) {
    return of(state, expression, IndexExpression.Options.SEARCH, null, null, null);
  }

  /// Documents of any of the aliases; null when one of them has no filter.
  public static @Nullable JsonNode filter(List<ObjectNode> aliases) {
    List<JsonNode> filters = new ArrayList<>();
    for (ObjectNode alias : aliases) {
      JsonNode filter = alias.get("filter");
      if (filter == null) {
        return null;
      }
      filters.add(filter);
    }
    if (filters.size() <= 1) {
      return filters.isEmpty() ? null : filters.getFirst();
    }
    ObjectNode any = Json.object();
    ArrayNode should = any.putObject("bool").putArray("should");
    filters.forEach(should::add);
    return any;
  }

  private static Set<Integer> shards(
      IndexMetadata index, List<ObjectNode> aliases, @Nullable String routing) {
    Set<String> values = routing == null ? null : values(routing);
    Set<String> own = ofAliases(aliases);
    if (values == null) {
      values = own;
    } else if (own != null) {
      values.retainAll(own);
    }
    Set<Integer> numbers = new TreeSet<>();
    if (values == null) {
      for (int number = 0; number < index.shards(); number++) {
        numbers.add(number);
      }
    } else {
      if (routing != null && TimeSeries.is(index.settings())) {
        throw Refusal.badArgument(
            "searching with a specified routing is not supported because the destination index ["
                + index.id().name()
                + "] is in time_series mode");
      }
      for (String value : values) {
        numbers.addAll(Routing.shards(value, index.layout(), Routing.partition(index.settings())));
      }
    }
    return numbers;
  }

  /// The routings of the aliases together; null when one of them has none.
  private static @Nullable Set<String> ofAliases(List<ObjectNode> aliases) {
    Set<String> all = new TreeSet<>();
    for (ObjectNode alias : aliases) {
      String own = alias.path("search_routing").asText("");
      if (own.isEmpty()) {
        return null;
      }
      all.addAll(values(own));
    }
    return all.isEmpty() ? null : all;
  }

  /// What is behind the last comma and empty is no value.
  private static Set<String> values(String routing) {
    return routing.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(routing.split(",")));
  }

  /// @throws Refusal when `preference` is one that no API knows
  public static void requirePreference(ApiRequest request) {
    var _ = Preference.shards(request.text("preference"));
  }
}
