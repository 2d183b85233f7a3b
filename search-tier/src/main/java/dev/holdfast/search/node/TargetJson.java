package dev.holdfast.search.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.Json;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Shards and what of them is searched, as JSON between nodes.
public final class TargetJson {
  private static final String DIVIDED_SINCE = "divided_since";

  private TargetJson() {}

  public static ObjectNode shard(ShardId shard) {
    return Json.object()
        .put("index", shard.index().name())
        .put("uuid", shard.index().uuid())
        .put("shard", shard.number());
  }

  /// A shard, and since when it has the documents that are meant.
  ///
  /// @param since as in [ShardTarget#dividedSince]
  public static ObjectNode sinceDivided(ShardId shard, long since) {
    return shard(shard).put(DIVIDED_SINCE, since);
  }

  /// Since when, as [#sinceDivided] was told; [ShardTarget#ANY] where only a shard is named.
  public static long dividedSince(JsonNode json) {
    return json.path(DIVIDED_SINCE).asLong(ShardTarget.ANY);
  }

  public static ShardId shard(JsonNode json) {
    return new ShardId(
        new IndexId(json.path("index").asText(), json.path("uuid").asText()),
        json.path("shard").asInt());
  }

  public static ObjectNode target(ShardTarget target) {
    ObjectNode json = shard(target.shard());
    ContextId context = target.context();
    if (context != null) {
      json.set("context", context(context));
    }
    if (target.filter() != null) {
      json.set("filter", target.filter());
    }
    if (target.keepMillis() >= 0) {
      json.put("keep_millis", target.keepMillis());
    }
    if (target.dividedSince() != IndexSplit.NEVER) {
      json.put(DIVIDED_SINCE, target.dividedSince());
    }
    ShardTarget.Slice slice = target.slice();
    if (slice != null) {
      ObjectNode part = json.putObject("slice");
      part.put("id", slice.id()).put("max", slice.max()).put("field", slice.field());
      if (slice.isPlaced()) {
        part.put("ordinal", slice.ordinal()).put("shards", slice.shards());
      }
    }
    return json;
  }

  public static ShardTarget target(JsonNode json) {
    JsonNode slice = json.get("slice");
    JsonNode context = json.get("context");
    return new ShardTarget(
        shard(json),
        context == null ? null : context(context),
        json.get("filter"),
        slice == null
            ? null
            : new ShardTarget.Slice(
                slice.path("id").asInt(),
                slice.path("max").asInt(),
                text(slice.get("field")),
                slice.path("ordinal").asInt(-1),
                slice.path("shards").asInt()),
        json.path("keep_millis").asLong(-1),
        json.path(DIVIDED_SINCE).asLong(IndexSplit.NEVER));
  }

  private static @Nullable String text(@Nullable JsonNode node) {
    return node == null || node.isNull() ? null : node.asText();
  }

  public static ObjectNode context(ContextId context) {
    return Json.object()
        .put("node", context.node())
        .put("number", context.number())
        .put("kind", context.kind().name())
        .put("pin", context.pin());
  }

  public static ContextId context(JsonNode json) {
    return new ContextId(
        json.path("node").asText(),
        json.path("number").asLong(),
        ShardContexts.Kind.valueOf(json.path("kind").asText()),
        json.path("pin").asText());
  }

  /// Names the indices that a question is about.
  public static void putUuids(ObjectNode body, Set<IndexId> indices) {
    ArrayNode uuids = body.putArray("uuids");
    indices.forEach(index -> uuids.add(index.uuid()));
  }

  public static Set<String> uuids(JsonNode body) {
    Set<String> uuids = new TreeSet<>();
    body.path("uuids").forEach(uuid -> uuids.add(uuid.asText()));
    return uuids;
  }
}
