package dev.holdfast.api.indices.shard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.TimeValue;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// `GET /_recovery`, `/{index}/_recovery`: how shards came to this node. A thin shard is a pointer
/// into the store (§3.2): no file is copied for it.
public final class RecoveryApi implements Api {
  private static final IndexExpression.Options TARGETS =
      new IndexExpression.Options(false, true, true, true, false, true);

  /// What a shard takes as a tree.
  private static final long SHARD_BYTES = 3_000;

  private final Metadata metadata;
  private final IndexingShards shards;
  private final NodeIdentity node;

  public RecoveryApi(Metadata metadata, IndexingShards shards, NodeIdentity node) {
    this.metadata = metadata;
    this.shards = shards;
    this.node = node;
  }

  /// A shard that came here.
  ///
  /// @param type `EMPTY_STORE` for one that was made here, `SNAPSHOT` when it was restored,
  ///   `LOCAL_SHARDS` when it began with what others had, else `EXISTING_STORE`
  /// @param lentBy the snapshot that it is read in until its blobs are copied; null for none
  public record Recovered(
      int shard,
      String type,
      boolean isDone,
      long startMillis,
      long bytes,
      @Nullable SnapshotReference lentBy) {}

  /// By index.
  public static Map<String, List<Recovered>> all(
      List<IndexMetadata> indices, IndexingShards shards, NodeIdentity node) throws IOException {
    Map<String, List<Recovered>> all = new TreeMap<>();
    for (IndexMetadata index : indices) {
      List<Recovered> ofIndex = new ArrayList<>();
      long created = Long.parseLong(index.setting("index.creation_date", "0"));
      boolean isNew = created >= node.startMillis() && index.isOpen();
      List<ShardFigures> figures = ShardFigures.of(shards, List.of(index));
      for (int number = 0; number < index.shards(); number++) {
        ShardFigures figure = number < figures.size() ? figures.get(number) : null;
        ofIndex.add(
            new Recovered(
                number,
                type(index, isNew),
                figure == null || figure.isStarted(),
                Math.max(created, node.startMillis()),
                figure == null ? 0 : figure.counted().storeBytes(),
                lentBy(index, number)));
      }
      all.put(index.id().name(), ofIndex);
    }
    return all;
  }

  private static @Nullable SnapshotReference lentBy(IndexMetadata index, int number) {
    IndexOrigin origin = index.origin();
    return origin != null && origin.isLent(number) ? origin.snapshot() : null;
  }

  private static String type(IndexMetadata index, boolean isNew) {
    IndexOrigin origin = index.origin();
    if (origin != null && origin.snapshot() != null) {
      return "SNAPSHOT";
    }
    String ofNew = origin == null ? "EMPTY_STORE" : "LOCAL_SHARDS";
    return isNew ? ofNew : "EXISTING_STORE";
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    List<IndexMetadata> indices =
        IndexBlocks.showable(
            IndexExpression.resolve(
                metadata.current(), request.text("index", ""), TARGETS.of(request)));
    ObjectNode answer = Json.object();
    for (var one : all(indices, shards, node).entrySet()) {
      ArrayNode list = answer.putObject(one.getKey()).putArray("shards");
      for (Recovered shard : one.getValue()) {
        if (!request.flag("active_only", false) || !shard.isDone()) {
          RequestMemory.add(SHARD_BYTES);
          ObjectNode shown = Json.object();
          write(shown, shard, request);
          list.add(request.human() ? readable(shown) : shown);
        }
      }
    }
    return Answer.of(200, answer);
  }

  /// The same with times and sizes for people in front of those for machines.
  private static ObjectNode readable(ObjectNode shown) {
    ObjectNode readable = Json.object();
    for (Map.Entry<String, JsonNode> member : shown.properties()) {
      String name = member.getKey();
      JsonNode value = member.getValue();
      boolean isMoment = name.startsWith("start_") || name.startsWith("stop_");
      if (name.endsWith("_time_in_millis") && !isMoment) {
        readable.put(name.replace("_in_millis", ""), TimeValue.text(value.asLong()));
      } else if (name.endsWith("_in_bytes")) {
        String size = new ByteSize(value.asLong()).toString();
        readable.put(name.replace("_in_bytes", ""), size);
      }
      readable.set(name, value instanceof ObjectNode inner ? readable(inner) : value);
    }
    return readable;
  }

  private void write(ObjectNode to, Recovered shard, ApiRequest request) {
    to.put("id", shard.shard())
        .put("type", shard.type())
        .put("stage", shard.isDone() ? "DONE" : "INIT")
        .put("primary", true);
    if (request.human()) {
      to.put("start_time", Instant.ofEpochMilli(shard.startMillis()).toString());
    }
    to.put("start_time_in_millis", shard.startMillis());
    if (shard.isDone()) { // a shard is opened at once
      if (request.human()) {
        to.put("stop_time", Instant.ofEpochMilli(shard.startMillis()).toString());
      }
      to.put("stop_time_in_millis", shard.startMillis());
    }
    to.put("total_time_in_millis", 0);
    ObjectNode source = to.putObject("source");
    SnapshotReference lentBy = shard.lentBy();
    if (lentBy != null) { // it is searched, and the store still copies
      source
          .put("repository", lentBy.repository())
          .put("snapshot", lentBy.snapshot())
          .put("is_being_copied", true);
    }
    to.putObject("target")
        .put("id", node.id())
        .put("host", node.host())
        .put("transport_address", node.address())
        .put("ip", node.host())
        .put("name", node.name());
    ObjectNode index = to.putObject("index");
    index
        .putObject("size")
        .put("total_in_bytes", shard.bytes())
        .put("reused_in_bytes", shard.bytes())
        .put("recovered_in_bytes", 0)
        .put("recovered_from_snapshot_in_bytes", 0)
        .put("percent", "100.0%");
    ObjectNode files = index.putObject("files");
    files.put("total", 0).put("reused", 0).put("recovered", 0).put("percent", "100.0%");
    if (request.flag("detailed", false)) {
      files.putArray("details");
    }
    index
        .put("total_time_in_millis", 0)
        .put("source_throttle_time_in_millis", 0)
        .put("target_throttle_time_in_millis", 0);
    to.putObject("translog")
        .put("recovered", 0)
        .put("total", 0)
        .put("percent", "100.0%")
        .put("total_on_start", 0)
        .put("total_time_in_millis", 0);
    to.putObject("verify_index")
        .put("check_index_time_in_millis", 0)
        .put("total_time_in_millis", 0);
  }
}
