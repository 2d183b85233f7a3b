package dev.holdfast.search.figures;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.Json;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

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
    return sum(List.of(this, other));
  }

  /// All together.
  public static SearchFigures sum(Collection<SearchFigures> figures) {
    PhaseFigures query = PhaseFigures.NONE;
    PhaseFigures fetch = PhaseFigures.NONE;
    PhaseFigures suggest = PhaseFigures.NONE;
    PhaseFigures scroll = PhaseFigures.NONE;
    long openContexts = 0;
    double load = 0;
    SortedMap<String, SearchFigures> groups = new TreeMap<>();
    for (SearchFigures one : figures) {
      query = query.plus(one.query);
      fetch = fetch.plus(one.fetch);
      suggest = suggest.plus(one.suggest);
      scroll = scroll.plus(one.scroll);
      openContexts += one.openContexts;
      load += one.load;
      one.groups.forEach((name, group) -> groups.merge(name, group, SearchFigures::plus));
    }
    return new SearchFigures(query, fetch, suggest, scroll, openContexts, load, groups);
  }

  /// Those of some shards together.
  public static SearchFigures sum(Map<ShardId, SearchFigures> figures, Stream<ShardId> shards) {
    return sum(shards.map(shard -> figures.getOrDefault(shard, NONE)).toList());
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
