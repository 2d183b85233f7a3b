package dev.holdfast.api.cluster;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.api.cluster.health.ClusterHealth;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.cluster.member.ShownNode;
import dev.holdfast.api.indices.resolve.ClusterBlocks;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.stats.FlatSettings;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.api.stats.ShardRouting;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// `GET /_cluster/state`: what the cluster knows of itself, by parts.
public final class ClusterStateApi implements Api {
  public static final List<String> PARAMETERS =
      List.of(
          "allow_no_indices",
          "expand_wildcards",
          "flat_settings",
          "ignore_unavailable",
          "local",
          "master_timeout",
          "wait_for_metadata_version",
          "wait_for_timeout");

  private static final Set<String> METRICS =
      new TreeSet<>(
          List.of(
              "blocks",
              "customs",
              "master_node",
              "metadata",
              "nodes",
              "routing_nodes",
              "routing_table",
              "version"));

  /// As in Elasticsearch, which of indices that are named leaves out those that are not there.
  private static final IndexExpression.Options NAMED =
      new IndexExpression.Options(true, true, true, false, false, true);

  private static final Duration WAIT_BY_DEFAULT = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final World world;
  private final String clusterName;
  private final ClusterMembers members;
  private final IndexingShards indexing;

  public ClusterStateApi(
      World world, String clusterName, ClusterMembers members, IndexingShards indexing) {
    this.world = world;
    this.clusterName = clusterName;
    this.members = members;
    this.indexing = indexing;
  }

  @Override
  public Answer handle(ApiRequest request) throws IOException, InterruptedException {
    Set<String> metrics = metrics(request.list("metric"));
    if (!isReached(request)) {
      return Answer.of(
          200, Json.object().put("cluster_name", clusterName).put("wait_for_timed_out", true));
    }
    ClusterState state = members.metadata().current();
    List<IndexMetadata> indices =
        IndexExpression.resolve(
            state,
            request.text("index", ""),
            (request.has("index") ? NAMED : ClusterHealth.EVERYTHING).of(request));
    List<ShardFigures> shards =
        metrics.contains("routing_table") || metrics.contains("routing_nodes")
            ? ShardFigures.of(indexing, indices)
            : List.of();
    boolean isFlat = request.flag("flat_settings", false);
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeStringField("cluster_name", clusterName);
      out.writeStringField("cluster_uuid", state.clusterUuid());
      if (metrics.contains("version")) {
        out.writeNumberField("version", state.version());
        out.writeStringField("state_uuid", state.clusterUuid() + "-" + state.version());
      }
      if (metrics.contains("master_node")) {
        out.writeStringField("master_node", members.metadata().leaderId());
      }
      if (metrics.contains("blocks")) {
        blocks(out, ClusterBlocks.of(state), indices);
      }
      if (metrics.contains("nodes")) {
        nodes(out, members.all());
      }
      if (metrics.contains("metadata")) {
        metadata(out, state, indices, isFlat);
      }
      if (metrics.contains("routing_table")) {
        routingTable(out, state, indices, shards);
      }
      if (metrics.contains("routing_nodes")) {
        routingNodes(out, state, shards);
      }
      out.writeEndObject();
    });
  }

  /// Whether the state has come to the version that is wanted, in time.
  private boolean isReached(ApiRequest request) throws InterruptedException {
    long version = request.longValue("wait_for_metadata_version", 1);
    Duration max = request.duration("wait_for_timeout", WAIT_BY_DEFAULT);
    if (version < 1) {
      throw Refusal.badArgument(
          "provided waitForMetadataVersion should be >= 1, but instead is [" + version + "]");
    }
    boolean _ =
        Await.until(
            world, max, LOOK, () -> isThere(version) || request.isCancelled().getAsBoolean());
    return isThere(version);
  }

  private boolean isThere(long version) {
    return members.metadata().current().version() >= version;
  }

  /// The same as a part of an answer: as a tree it would take twenty times as much.
  Answer.Writer part(ApiRequest request) throws IOException, InterruptedException {
    if (!(handle(request).content() instanceof Answer.Content.Structured structured)) {
      throw new IllegalStateException("cluster state without structure");
    }
    return structured.writer();
  }

  private static Set<String> metrics(List<String> wanted) {
    if (wanted.isEmpty() || wanted.contains("_all")) {
      return METRICS;
    }
    for (String metric : wanted) {
      if (!METRICS.contains(metric)) {
        throw Refusal.badArgument(
            Suggestions.didYouMean(
                "request [/_cluster/state] contains unrecognized metric [" + metric + "]",
                metric,
                METRICS));
      }
    }
    return new TreeSet<>(wanted);
  }

  /// Blocks by index: those that its settings ask for, and that of a closed one.
  private static void blocks(
      JsonGenerator out, List<IndexBlocks> global, List<IndexMetadata> indices) throws IOException {
    out.writeObjectFieldStart("blocks");
    if (!global.isEmpty()) {
      out.writeObjectFieldStart("global");
      for (IndexBlocks block : global) {
        block.write(out);
      }
      out.writeEndObject();
    }
    boolean isBegun = false;
    for (IndexMetadata index : indices) {
      List<IndexBlocks> blocks = IndexBlocks.of(index);
      if (!blocks.isEmpty() && !isBegun) {
        out.writeObjectFieldStart("indices");
        isBegun = true;
      }
      if (!blocks.isEmpty()) {
        out.writeObjectFieldStart(index.id().name());
        for (IndexBlocks block : blocks) {
          block.write(out);
        }
        out.writeEndObject();
      }
    }
    if (isBegun) {
      out.writeEndObject();
    }
    out.writeEndObject();
  }

  private static void nodes(JsonGenerator out, List<NodeIdentity> nodes) throws IOException {
    out.writeObjectFieldStart("nodes");
    for (NodeIdentity node : nodes) {
      out.writeFieldName(node.id());
      out.writeTree(ShownNode.describe(Json.object(), node));
    }
    out.writeEndObject();
  }

  private static void metadata(
      JsonGenerator out, ClusterState state, List<IndexMetadata> indices, boolean isFlat)
      throws IOException {
    out.writeObjectFieldStart("metadata");
    out.writeStringField("cluster_uuid", state.clusterUuid());
    out.writeBooleanField("cluster_uuid_committed", true);
    out.writeObjectFieldStart("cluster_coordination");
    out.writeNumberField("term", state.term());
    out.writeEndObject();
    out.writeObjectFieldStart("templates");
    out.writeEndObject();
    out.writeObjectFieldStart("indices");
    for (IndexMetadata index : indices) {
      index(out, index, isFlat);
    }
    out.writeEndObject();
    out.writeEndObject();
  }

  private static void index(JsonGenerator out, IndexMetadata index, boolean isFlat)
      throws IOException {
    out.writeObjectFieldStart(index.id().name());
    out.writeNumberField("mapping_version", index.mappingVersion());
    out.writeNumberField("settings_version", index.settingsVersion());
    out.writeNumberField("routing_num_shards", index.shards());
    out.writeStringField("state", index.isOpen() ? "open" : "close");
    out.writeFieldName("settings");
    FlatSettings.write(out, index.settings(), isFlat);
    out.writeObjectFieldStart("mappings");
    if (!index.mapping().isEmpty()) {
      out.writeFieldName("_doc");
      out.writeTree(index.mapping());
    }
    out.writeEndObject();
    out.writeArrayFieldStart("aliases");
    for (String alias : index.aliases().keySet()) {
      out.writeString(alias);
    }
    out.writeEndArray();
    out.writeObjectFieldStart("primary_terms");
    for (int shard = 0; shard < index.primaryTerms().size(); shard++) {
      out.writeNumberField(Integer.toString(shard), index.primaryTerms().get(shard));
    }
    out.writeEndObject();
    out.writeEndObject();
  }

  private static void routingTable(
      JsonGenerator out, ClusterState state, List<IndexMetadata> indices, List<ShardFigures> shards)
      throws IOException {
    out.writeObjectFieldStart("routing_table");
    out.writeObjectFieldStart("indices");
    for (IndexMetadata index : indices) {
      out.writeObjectFieldStart(index.id().name());
      out.writeObjectFieldStart("shards");
      for (ShardFigures shard : shards) {
        if (shard.index().id().equals(index.id())) {
          out.writeArrayFieldStart(Integer.toString(shard.shard().number()));
          for (ShardRouting place : shard.places(state)) {
            shard(out, shard, place);
          }
          out.writeEndArray();
        }
      }
      out.writeEndObject();
      out.writeEndObject();
    }
    out.writeEndObject();
    out.writeEndObject();
  }

  private void routingNodes(JsonGenerator out, ClusterState state, List<ShardFigures> shards)
      throws IOException {
    out.writeObjectFieldStart("routing_nodes");
    out.writeArrayFieldStart("unassigned");
    at(out, state, shards, "");
    out.writeEndArray();
    out.writeObjectFieldStart("nodes");
    for (NodeIdentity node : members.all()) {
      out.writeArrayFieldStart(node.id());
      at(out, state, shards, node.id());
      out.writeEndArray();
    }
    out.writeEndObject();
    out.writeEndObject();
  }

  private static void at(
      JsonGenerator out, ClusterState state, List<ShardFigures> shards, String node)
      throws IOException {
    for (ShardFigures shard : shards) {
      for (ShardRouting place : shard.places(state)) {
        if (place.node().equals(node)) {
          shard(out, shard, place);
        }
      }
    }
  }

  private static void shard(JsonGenerator out, ShardFigures shard, ShardRouting place)
      throws IOException {
    out.writeStartObject();
    out.writeStringField("state", place.state());
    out.writeBooleanField("primary", place.isPrimary());
    out.writeStringField("node", place.node().isEmpty() ? null : place.node());
    out.writeStringField(
        "relocating_node", place.relocating().isEmpty() ? null : place.relocating());
    out.writeNumberField("shard", shard.shard().number());
    out.writeStringField("index", shard.index().id().name());
    out.writeEndObject();
  }
}
