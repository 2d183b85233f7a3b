package dev.holdfast.api.indices.shard;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.search.Searches;
import dev.holdfast.search.fielduse.FieldUseOfCopy;
import dev.holdfast.world.Json;
import dev.holdfast.world.text.Wildcards;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// `GET /{index}/_field_usage_stats`: how often searches read each field, and which of its
/// structures, by copy of each shard since the copy was opened.
public final class FieldUsageApi implements Api {
  private static final List<String> INVERTED =
      List.of(
          "terms", "postings", "term_frequencies", "positions", "offsets", "payloads", "proximity");
  private static final List<String> OTHERS =
      List.of("stored_fields", "doc_values", "points", "norms", "term_vectors", "knn_vectors");

  private final Metadata metadata;
  private final Searches searches;

  public FieldUsageApi(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.searches = searches;
  }

  @Override
  public Answer handle(ApiRequest request) {
    ClusterState state = metadata.current();
    List<IndexMetadata> indices =
        IndexBlocks.showable(
            IndexExpression.resolve(
                state, request.required("index"), IndexExpression.Options.SEARCH.of(request)));
    List<String> wanted = request.list("fields");
    Set<IndexId> ids = indices.stream().map(IndexMetadata::id).collect(Collectors.toSet());
    Map<IndexId, List<FieldUseOfCopy>> copies =
        searches.fieldUse(ids).stream()
            .collect(Collectors.groupingBy(copy -> copy.shard().index()));
    ObjectNode answer = Json.object();
    int shards = indices.stream().mapToInt(IndexMetadata::shards).sum();
    answer.putObject("_shards").put("total", shards).put("successful", shards).put("failed", 0);
    for (IndexMetadata index : indices) {
      ArrayNode list = answer.putObject(index.id().name()).putArray("shards");
      for (FieldUseOfCopy copy : copies.getOrDefault(index.id(), List.of())) {
        write(list.addObject(), copy, isOwner(state, copy), wanted);
      }
    }
    return Answer.of(200, answer);
  }

  private static boolean isOwner(ClusterState state, FieldUseOfCopy copy) {
    return copy.node().equals(state.assignment(copy.shard()).owner());
  }

  private static void write(
      ObjectNode to, FieldUseOfCopy copy, boolean isPrimary, List<String> wanted) {
    to.put("tracking_id", copy.trackingId())
        .put("tracking_started_at_millis", copy.startedMillis())
        .putObject("routing")
        .put("state", "STARTED")
        .put("primary", isPrimary)
        .put("node", copy.node())
        .putNull("relocating_node");
    SortedMap<String, SortedMap<String, Long>> fields = new TreeMap<>();
    SortedMap<String, Long> sums = new TreeMap<>();
    for (Map.Entry<String, SortedMap<String, Long>> field : copy.fields().entrySet()) {
      if (wanted.isEmpty()
          || wanted.stream().anyMatch(pattern -> Wildcards.matches(pattern, field.getKey()))) {
        fields.put(field.getKey(), field.getValue());
        field.getValue().forEach((structure, count) -> sums.merge(structure, count, Long::sum));
      }
    }
    ObjectNode stats = to.putObject("stats");
    write(stats.putObject("all_fields"), sums);
    ObjectNode byField = stats.putObject("fields");
    fields.forEach((field, counts) -> write(byField.putObject(field), counts));
  }

  private static void write(ObjectNode to, Map<String, Long> counts) {
    to.put("any", counts.getOrDefault("any", 0L));
    ObjectNode inverted = to.putObject("inverted_index");
    INVERTED.forEach(name -> inverted.put(name, counts.getOrDefault(name, 0L)));
    OTHERS.forEach(name -> to.put(name, counts.getOrDefault(name, 0L)));
  }
}
