package dev.holdfast.api.snapshot.mount;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.search.Searches;
import dev.holdfast.search.copy.SegmentFigures;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `GET /_searchable_snapshots/stats`, `/{index}/_searchable_snapshots/stats`: how much there is of
/// mounted indices. Files of segments lie in blobs of many, so they are told by segment, and how
/// often each was read is not known.
public final class MountedStatsApi implements Api {
  private static final List<String> LEVELS = List.of("cluster", "indices", "shards");

  private final Metadata metadata;
  private final Searches searches;
  private final NodeIdentity node;

  public MountedStatsApi(Metadata metadata, Searches searches, NodeIdentity node) {
    this.metadata = metadata;
    this.searches = searches;
    this.node = node;
  }

  /// How many segments, and how large.
  private record Sum(long segments, long bytes) {
    static final Sum NONE = new Sum(0, 0);

    static Sum of(List<SegmentFigures> segments) {
      return new Sum(segments.size(), segments.stream().mapToLong(SegmentFigures::bytes).sum());
    }

    Sum with(Sum other) {
      return new Sum(segments + other.segments, bytes + other.bytes);
    }

    void write(ArrayNode to) {
      if (segments > 0) {
        to.addObject()
            .put("file_ext", "segment")
            .put("num_files", segments)
            .put("total_size", bytes);
      }
    }
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    String level = request.text("level", "indices");
    if (!LEVELS.contains(level)) {
      throw Refusal.badArgument(
          "level parameter must be one of [cluster] or [indices] or [shards] but was ["
              + level
              + "]");
    }
    List<IndexMetadata> mounted = MountedIndices.of(metadata.current(), request);
    int shards = mounted.stream().mapToInt(IndexMetadata::shards).sum();
    ObjectNode answer = Json.object();
    answer.putObject("_shards").put("total", shards).put("successful", shards).put("failed", 0);
    ArrayNode total = answer.putArray("total");
    ObjectNode indices = Json.object();
    Sum all = Sum.NONE;
    for (IndexMetadata index : mounted) {
      all = all.with(write(index, indices.putObject(index.id().name()), level.equals("shards")));
    }
    all.write(total);
    if (!level.equals("cluster")) {
      answer.set("indices", indices);
    }
    return Answer.of(200, answer);
  }

  private Sum write(IndexMetadata index, ObjectNode to, boolean hasShards) throws Exception {
    ArrayNode total = to.putArray("total");
    ObjectNode shards = Json.object();
    Sum all = Sum.NONE;
    for (int number = 0; number < index.shards(); number++) {
      Sum sum = Sum.of(searches.segments(new ShardId(index.id(), number)));
      all = all.with(sum);
      ObjectNode shard = shards.putArray(Integer.toString(number)).addObject();
      shard
          .put("snapshot_uuid", index.setting(MountedIndices.SNAPSHOT_UUID, ""))
          .put("index_uuid", index.setting(MountedIndices.INDEX_UUID, ""));
      shard.putObject("shard").put("state", "STARTED").put("primary", true).put("node", node.id());
      sum.write(shard.putArray("files"));
    }
    all.write(total);
    if (hasShards) {
      to.set("shards", shards);
    }
    return all;
  }
}
