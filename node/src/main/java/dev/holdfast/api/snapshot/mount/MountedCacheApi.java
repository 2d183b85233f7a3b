package dev.holdfast.api.snapshot.mount;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.cluster.member.NodeSelector;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.region.Region;
import dev.holdfast.blobcache.stats.CacheStats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `GET /_searchable_snapshots/cache/stats`, `POST /_searchable_snapshots/cache/clear`: the cache
/// of blobs on nodes' disks, under the names that Elasticsearch has for its own. It is that of all
/// shards, mounted or not; only what it holds of mounted indices is cleared.
public final class MountedCacheApi {
  private static final Set<String> NO_METRICS = Set.of();

  /// What is to be cleared, in the question.
  private static final String FOLDERS = "folders";

  private final @Nullable BlobCache cache;
  private final Broadcasts calls;
  private final Broadcast nodes;

  public MountedCacheApi(@Nullable BlobCache cache, Broadcasts calls) {
    this.cache = cache;
    this.calls = calls;
    this.nodes = calls.call("mounted-cache", this::here);
  }

  private JsonNode here(ObjectNode question) {
    ObjectNode here = Json.object();
    if (cache == null) {
      return here;
    }
    if (question.has(FOLDERS)) {
      List<String> folders = new ArrayList<>();
      question.path(FOLDERS).forEach(folder -> folders.add(folder.asText()));
      long bytes = cache.clear(key -> folders.stream().anyMatch(key::startsWith));
      return here.put("cleared_bytes", bytes);
    }
    CacheStats stats = cache.stats();
    here.putObject("shared_cache")
        .put("reads", stats.hits() + stats.misses())
        .put("bytes_read_in_bytes", stats.bytesFromPinned() + stats.bytesFromRegions())
        .put("writes", stats.fetches())
        .put("bytes_written_in_bytes", stats.bytesFetched())
        .put("evictions", stats.evictions())
        .put("num_regions", cache.size().bytes() / Region.BYTES)
        .put("size_in_bytes", cache.size().bytes())
        .put("region_size_in_bytes", Region.BYTES);
    return here;
  }

  /// Nodes that read their store without a cache have none to tell of.
  public Answer stats(ApiRequest request) throws InterruptedException {
    ClusterMembers members = new ClusterMembers(calls.self(), calls.metadata());
    Broadcast.Seen seen =
        nodes.ask(
            Json.object(),
            request,
            member -> NodeSelector.isChosen(request, members, NO_METRICS, NodeIdentity.of(member)));
    ObjectNode answer = Json.object();
    ObjectNode shown = answer.putObject("nodes");
    seen.nodes()
        .forEach((node, here) -> {
          if (here.has("shared_cache")) {
            shown.set(node, here);
          }
        });
    return Answer.of(200, answer);
  }

  /// `POST /_searchable_snapshots/cache/clear`, `/{index}/_searchable_snapshots/cache/clear`.
  public Answer clear(ApiRequest request) throws InterruptedException {
    List<IndexMetadata> mounted = MountedIndices.of(calls.metadata().current(), request);
    ObjectNode question = Json.object();
    int shards = 0;
    for (IndexMetadata index : mounted) {
      for (int number = 0; number < index.shards(); number++) {
        question.withArray(FOLDERS).add(new ShardId(index.id(), number).folder());
        shards++;
      }
    }
    Broadcast.Seen seen = nodes.ask(question, request);
    int failed = seen.silent().isEmpty() ? 0 : shards;
    ObjectNode answer = Json.object();
    ObjectNode told =
        answer
            .putObject("_shards")
            .put("total", shards)
            .put("successful", shards - failed)
            .put("failed", failed);
    if (failed > 0) {
      ObjectNode failure = told.putArray("failures").addObject();
      failure
          .put("status", "SERVICE_UNAVAILABLE")
          .putObject("reason")
          .put("type", "failed_node_exception")
          .put("reason", "nodes have not answered " + seen.silent());
    }
    return Answer.of(200, answer);
  }
}
