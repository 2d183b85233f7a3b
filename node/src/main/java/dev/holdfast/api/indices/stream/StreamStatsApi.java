package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.StreamExpression;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import java.util.List;

/// `GET /_data_stream/{name}/_stats`: how large streams are.
public final class StreamStatsApi implements Api {
  private final Metadata metadata;
  private final IndexingShards shards;
  private final NewestTime newest;

  public StreamStatsApi(Metadata metadata, IndexingShards shards, Searches searches) {
    this.metadata = metadata;
    this.shards = shards;
    this.newest = new NewestTime(searches);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    ClusterState state = metadata.current();
    List<DataStream> streams = StreamTargets.of(state, request);
    ArrayNode list = Json.MAPPER.createArrayNode();
    int backing = 0;
    int total = 0;
    int started = 0;
    long bytes = 0;
    for (DataStream stream : streams) {
      List<IndexMetadata> indices = StreamExpression.existing(state, stream, Component.DATA);
      List<ShardFigures> figures = ShardFigures.of(shards, indices);
      long own = figures.stream().mapToLong(one -> one.counted().storeBytes()).sum();
      backing += indices.size();
      total += figures.size();
      started += (int) figures.stream().filter(ShardFigures::isStarted).count();
      bytes += own;
      ObjectNode one = list.addObject().put("data_stream", stream.name());
      one.put("backing_indices", indices.size());
      size(one, "store_size", own, request);
      one.put("maximum_timestamp", newest.of(state, stream));
    }
    ObjectNode answer = Json.object();
    answer
        .putObject("_shards")
        .put("total", total)
        .put("successful", started)
        .put("failed", total - started);
    answer.put("data_stream_count", streams.size()).put("backing_indices", backing);
    size(answer, "total_store_size", bytes, request);
    answer.set("data_streams", list);
    return Answer.of(200, answer);
  }

  private static void size(ObjectNode to, String name, long bytes, ApiRequest request) {
    if (request.human()) {
      to.put(name, new ByteSize(bytes).toString());
    }
    to.put(name + "_bytes", bytes);
  }
}
