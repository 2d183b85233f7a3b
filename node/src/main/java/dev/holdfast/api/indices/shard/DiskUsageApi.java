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
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// `POST /{index}/_disk_usage`: bytes of an index by kind of data, all fields together.
public final class DiskUsageApi implements Api {
  /// What finds nothing is missing.
  private static final IndexExpression.Options TARGETS =
      new IndexExpression.Options(false, false, true, false, false, false);

  private final Metadata metadata;
  private final IndexingShards indexing;
  private final Searches searches;

  public DiskUsageApi(Metadata metadata, IndexingShards indexing, Searches searches) {
    this.metadata = metadata;
    this.indexing = indexing;
    this.searches = searches;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    if (!request.flag("run_expensive_tasks", false)) {
      throw Refusal.badArgument(
          "analyzing the disk usage of an index is expensive and resource-intensive, the parameter"
              + " [run_expensive_tasks] must be set to [true] in order for the task to be"
              + " performed.");
    }
    List<IndexMetadata> indices =
        IndexBlocks.showable(
            IndexExpression.resolve(
                metadata.current(), request.required("index"), TARGETS.of(request)));
    ObjectNode answer = Json.object();
    int shards = indices.stream().mapToInt(IndexMetadata::shards).sum();
    answer.putObject("_shards").put("total", shards).put("successful", shards).put("failed", 0);
    for (IndexMetadata index : indices) {
      Map<String, Long> kinds = new TreeMap<>();
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        if (request.flag("flush", true)) {
          indexing.refresh(shard);
        }
        searches
            .fileBytes(shard)
            .forEach((suffix, bytes) -> kinds.merge(kind(suffix), bytes, Long::sum));
      }
      write(answer.putObject(index.id().name()), kinds);
    }
    return Answer.of(200, answer);
  }

  /// What a file of that suffix holds.
  private static String kind(String suffix) {
    return switch (suffix) {
      case "fdt", "fdx", "fdm" -> "stored_fields";
      case "tim", "tip", "tmd", "doc", "pos", "pay", "psm", "blm", "bfm", "bfi" -> "inverted_index";
      case "kdd", "kdi", "kdm" -> "points";
      case "nvd", "nvm" -> "norms";
      case "tvd", "tvx", "tvm" -> "term_vectors";
      case "vec", "vem", "vex", "vemf", "veq", "vemq", "veb", "vemb" -> "knn_vectors";
      case "si", "fnm", "liv", "cfs", "cfe" -> "other";
      case "hbf", "hop", "hom" -> "inverted_index";
      case "hdd", "hdm", "dvd", "dvm", "dvs" -> "doc_values";
      default -> "other";
    };
  }

  private static void write(ObjectNode to, Map<String, Long> kinds) {
    long whole = kinds.values().stream().mapToLong(Long::longValue).sum();
    to.put("store_size", new ByteSize(whole).toString()).put("store_size_in_bytes", whole);
    ObjectNode all = to.putObject("all_fields");
    long fields = whole - kinds.getOrDefault("other", 0L);
    all.put("total", new ByteSize(fields).toString()).put("total_in_bytes", fields);
    long inverted = kinds.getOrDefault("inverted_index", 0L);
    all.putObject("inverted_index")
        .put("total", new ByteSize(inverted).toString())
        .put("total_in_bytes", inverted);
    for (String kind :
        List.of("stored_fields", "doc_values", "points", "norms", "term_vectors", "knn_vectors")) {
      long bytes = kinds.getOrDefault(kind, 0L);
      all.put(kind, new ByteSize(bytes).toString()).put(kind + "_in_bytes", bytes);
    }
  }
}
