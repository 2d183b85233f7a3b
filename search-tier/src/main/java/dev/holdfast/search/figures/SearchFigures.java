package dev.holdfast.search.figures;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.Json;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// What was searched: of a shard, or of many.
///
/// @param query phases, those of searches that ask for suggestions alone among `suggest`
/// @param scroll contexts: how many have ended, how long these were open, how many are open
/// @param openContexts commits kept open now for scrolls and points in time
/// @param load threads that both phases keep busy, as an average of the last minutes
/// @param groups the same by the groups that searches name in `stats`
public record SearchFigures(
    PhaseFigures query,
    PhaseFigures fetch,
    PhaseFigures suggest,
    PhaseFigures scroll,
    long openContexts,
    double load,
    SortedMap<String, SearchFigures> groups) {
  public static final SearchFigures NONE =
      new SearchFigures(
          PhaseFigures.NONE,
          PhaseFigures.NONE,
          PhaseFigures.NONE,
          PhaseFigures.NONE,
          0,
          0,
          new TreeMap<>());

  public SearchFigures {
    groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
  }

  public SearchFigures plus(SearchFigures other) {
    SortedMap<String, SearchFigures> both = new TreeMap<>(groups);
    other.groups.forEach((name, figures) -> both.merge(name, figures, SearchFigures::plus));
    return new SearchFigures(
        query.plus(other.query),
        fetch.plus(other.fetch),
        suggest.plus(other.suggest),
        scroll.plus(other.scroll),
        openContexts + other.openContexts,
        load + other.load,
        both);
  }

  /// All together.
  public static SearchFigures sum(Collection<SearchFigures> figures) {
    return figures.stream().reduce(NONE, SearchFigures::plus);
  }

  /// Those of some shards together.
  public static SearchFigures sum(Map<ShardId, SearchFigures> figures, Predicate<ShardId> isMeant) {
    return sum(
        figures.entrySet().stream()
            .filter(one -> isMeant.test(one.getKey()))
            .map(Map.Entry::getValue)
            .toList());
  }

  /// The figures of a node's shards, as [#addTo] reads them.
  public static ObjectNode json(Map<ShardId, SearchFigures> figures) {
    ObjectNode json = Json.object();
    ArrayNode shards = json.putArray("shards");
    figures.forEach((shard, of) -> {
      ObjectNode one = TargetJson.shard(shard);
      one.set("figures", of.json());
      shards.add(one);
    });
    return json;
  }

  /// Adds a node's figures to those of others. What its build does not tell is nothing.
  public static void addTo(Map<ShardId, SearchFigures> all, JsonNode json) {
    for (JsonNode one : json.path("shards")) {
      all.merge(TargetJson.shard(one), of(one.path("figures")), SearchFigures::plus);
    }
  }

  private ObjectNode json() {
    ObjectNode json = Json.object();
    json.set("query", query.json());
    json.set("fetch", fetch.json());
    json.set("suggest", suggest.json());
    json.set("scroll", scroll.json());
    json.put("open_contexts", openContexts).put("load", load);
    ObjectNode byGroup = json.putObject("groups");
    groups.forEach((name, figures) -> byGroup.set(name, figures.json()));
    return json;
  }

  private static SearchFigures of(JsonNode json) {
    SortedMap<String, SearchFigures> groups = new TreeMap<>();
    json.path("groups")
        .properties()
        .forEach(group -> groups.put(group.getKey(), of(group.getValue())));
    return new SearchFigures(
        PhaseFigures.of(json.path("query")),
        PhaseFigures.of(json.path("fetch")),
        PhaseFigures.of(json.path("suggest")),
        PhaseFigures.of(json.path("scroll")),
        json.path("open_contexts").asLong(),
        json.path("load").asDouble(),
        groups);
  }
}
