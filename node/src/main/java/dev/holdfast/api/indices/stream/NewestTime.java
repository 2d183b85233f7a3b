package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.StreamExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.search.Searches;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;

/// The newest time of a stream's documents, found by a search.
final class NewestTime {
  private final Searches searches;

  NewestTime(Searches searches) {
    this.searches = searches;
  }

  /// @return milliseconds of the epoch; 0 for no document
  long of(ClusterState state, DataStream stream) throws IOException, InterruptedException {
    List<IndexId> indices =
        StreamExpression.existing(state, stream, Component.DATA).stream()
            .filter(IndexMetadata::isOpen)
            .map(IndexMetadata::id)
            .toList();
    if (indices.isEmpty()) {
      return 0;
    }
    ObjectNode body = Json.object().put("size", 1).put("track_total_hits", false);
    body.put("_source", false);
    body.putObject("query").putObject("exists").put("field", DataStream.TIMESTAMP);
    body.putArray("sort")
        .addObject()
        .putObject(DataStream.TIMESTAMP)
        .put("order", "desc")
        .put("numeric_type", "date"); // in milliseconds, whatever an index counts in
    var hits = searches.search(indices, SearchParser.parse(body), () -> false).hits();
    return hits.isEmpty() ? 0 : ((Number) hits.getFirst().sort().getFirst()).longValue();
  }
}
