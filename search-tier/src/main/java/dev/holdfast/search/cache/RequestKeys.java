package dev.holdfast.search.cache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Json;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which requests of a shard are cached, and under which keys: Elasticsearch's rules.
public final class RequestKeys {
  /// Members that change nothing of what a shard answers when it answers in time.
  private static final Set<String> IDLE = Set.of("timeout", "stats");

  /// Members in which the order of an object's members means nothing.
  private static final Set<String> UNORDERED = Set.of("query", "post_filter");

  private RequestKeys() {}

  /// The key; null when the answer is not to be kept.
  ///
  /// @param seen the shard as the search sees it
  public static RequestCache.@Nullable Key of(
      IndexMetadata index,
      CompoundCommit commit,
      QueryRequest request,
      QueryRequest.OfShard asked,
      ShardTarget seen,
      boolean allowsExpensive) {
    ContextId pinned = asked.target().context();
    boolean isScroll = pinned != null && pinned.kind() == ShardContexts.Kind.SCROLL;
    if (isScroll || request.source().extras().isProfiled() || !isWanted(index, request)) {
      return null;
    }
    return new RequestCache.Key(
        RequestCache.Commit.of(seen.shard(), commit),
        index.mappingVersion(),
        index.settingsVersion(),
        text(request, asked, seen, allowsExpensive));
  }

  private static boolean isWanted(IndexMetadata index, QueryRequest request) {
    Boolean wish = request.isCached();
    return wish == null
        ? request.source().size() == 0
            && Boolean.parseBoolean(index.setting("index.requests.cache.enable", "true"))
        : wish;
  }

  private static String text(
      QueryRequest request, QueryRequest.OfShard asked, ShardTarget seen, boolean allowsExpensive) {
    SearchSource source = request.source();
    StringBuilder text = new StringBuilder(body(source.body()).toString());
    if (seen.filter() != null) {
      text.append("|filter:").append(sorted(seen.filter()));
    }
    ShardTarget.Slice slice = seen.slice();
    if (slice != null) {
      text.append("|slice:").append(slice).append('/').append(request.shardsAsked());
    }
    if (slice != null || !source.sorts().isEmpty()) {
      text.append("|ordinal:").append(asked.ordinal());
    }
    if (!asked.nearest().isEmpty()) {
      text.append("|nearest:").append(asked.nearest());
    }
    return allowsExpensive ? text.toString() : text.append("|cheap").toString();
  }

  private static ObjectNode body(ObjectNode body) {
    ObjectNode canonical = Json.object();
    for (Map.Entry<String, JsonNode> member : members(body).entrySet()) {
      String name = member.getKey();
      if (!IDLE.contains(name)) {
        JsonNode value = member.getValue();
        canonical.set(name, UNORDERED.contains(name) ? sorted(value) : value);
      }
    }
    return canonical;
  }

  private static Map<String, JsonNode> members(ObjectNode object) {
    Map<String, JsonNode> members = new TreeMap<>();
    object.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
    return members;
  }

  private static JsonNode sorted(JsonNode json) {
    if (json instanceof ObjectNode object) {
      ObjectNode canonical = Json.object();
      members(object).forEach((name, value) -> canonical.set(name, sorted(value)));
      return canonical;
    }
    if (json instanceof ArrayNode array) {
      ArrayNode canonical = Json.MAPPER.createArrayNode();
      array.forEach(one -> canonical.add(sorted(one)));
      return canonical;
    }
    return json;
  }
}
