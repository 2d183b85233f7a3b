package dev.holdfast.api.indices.shard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.search.Searches;
import dev.holdfast.search.copy.SegmentFigures;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import dev.holdfast.world.StopSignal;
import java.util.List;

/// `GET /_segments`, `/{index}/_segments`: the segments of the commits being searched.
public final class SegmentsApi implements Api {
  /// What a segment takes as a tree, and about what a shard takes beside them.
  private static final long SEGMENT_BYTES = 800;

  private final Metadata metadata;
  private final Searches searches;
  private final NodeIdentity node;

  public SegmentsApi(Metadata metadata, Searches searches, NodeIdentity node) {
    this.metadata = metadata;
    this.searches = searches;
    this.node = node;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    List<IndexMetadata> indices =
        IndexBlocks.showable(
            IndexExpression.resolve(
                metadata.current(),
                request.text("index", ""),
                IndexExpression.Options.SEARCH.of(request)));
    ObjectNode answer = Json.object();
    int shards = indices.stream().mapToInt(IndexMetadata::shards).sum();
    answer.putObject("_shards").put("total", shards).put("successful", shards).put("failed", 0);
    ObjectNode all = answer.putObject("indices");
    for (IndexMetadata index : indices) {
      ObjectNode ofIndex = all.putObject(index.id().name()).putObject("shards");
      for (int number = 0; number < index.shards(); number++) {
        StopSignal.lookForCancelling();
        ObjectNode shard = ofIndex.putArray(Integer.toString(number)).addObject();
        shard
            .putObject("routing")
            .put("state", "STARTED")
            .put("primary", true)
            .put("node", node.id());
        List<SegmentFigures> segments = searches.segments(new ShardId(index.id(), number));
        RequestMemory.add(SEGMENT_BYTES * (1 + segments.size()));
        shard.put("num_committed_segments", segments.size());
        shard.put("num_search_segments", segments.size());
        ObjectNode named = shard.putObject("segments");
        for (SegmentFigures segment : segments) {
          write(named.putObject(segment.name()), segment, request.human());
        }
      }
    }
    return Answer.of(200, answer);
  }

  private static void write(ObjectNode to, SegmentFigures segment, boolean isHuman) {
    to.put("generation", segment.generation())
        .put("num_docs", segment.documents())
        .put("deleted_docs", segment.deleted());
    if (isHuman) {
      to.put("size", new ByteSize(segment.bytes()).toString());
    }
    to.put("size_in_bytes", segment.bytes())
        .put("committed", true)
        .put("search", true)
        .put("version", segment.version())
        .put("compound", segment.isCompound())
        .putObject("attributes");
  }
}
