package dev.holdfast.search.cache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Stream;

/// What the caches of search nodes hold and have done: of a shard, or of many.
///
/// @param queries documents of filters, by segment
/// @param requests answers of shards
public record CacheFigures(QueryCacheFigures queries, RequestCacheFigures requests) {
  public static final CacheFigures NONE =
      new CacheFigures(QueryCacheFigures.NONE, RequestCacheFigures.NONE);

  public CacheFigures plus(CacheFigures other) {
    return new CacheFigures(queries.plus(other.queries), requests.plus(other.requests));
  }

  /// All together.
  public static CacheFigures sum(Collection<CacheFigures> figures) {
    return figures.stream().reduce(NONE, CacheFigures::plus);
  }

  /// The figures of a node's shards, as [#of] reads each.
  public static ObjectNode json(Map<ShardId, CacheFigures> figures) {
    ObjectNode json = Json.object();
    ArrayNode shards = json.putArray("shards");
    figures.forEach((shard, of) -> {
      ObjectNode one = TargetJson.shard(shard);
      one.set("queries", Json.MAPPER.valueToTree(of.queries));
      one.set("requests", Json.MAPPER.valueToTree(of.requests));
      shards.add(one);
    });
    return json;
  }

  public static CacheFigures of(JsonNode json) throws IOException {
    return new CacheFigures(
        Json.MAPPER.treeToValue(json.path("queries"), QueryCacheFigures.class),
        Json.MAPPER.treeToValue(json.path("requests"), RequestCacheFigures.class));
  }

  /// Those of some shards together.
  public static CacheFigures sum(Map<ShardId, CacheFigures> figures, Stream<ShardId> shards) {
    return sum(shards.map(shard -> figures.getOrDefault(shard, NONE)).toList());
  }
}
