package dev.holdfast.api.cluster;

import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.cluster.health.ClusterHealth;
import dev.holdfast.api.cluster.health.HealthReader;
import dev.holdfast.api.ingest.StoredPipelines;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.api.stats.FieldFigures;
import dev.holdfast.api.stats.NodesJson;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.api.stats.ShardStatsJson;
import dev.holdfast.api.stats.StatisticsWriter;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.Version;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.search.Searches;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.figures.SearchFigures;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Clock;
import java.io.IOException;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// `GET /_cluster/stats`: the cluster in a few sums.
public final class ClusterStatsApi implements Api {
  /// What is told of all indices together.
  private static final List<String> SECTIONS =
      List.of(
          "docs",
          "store",
          "fielddata",
          "query_cache",
          "completion",
          "segments",
          "dense_vector",
          "sparse_vector");

  private final Clock clock;
  private final NodeSettings settings;
  private final Metadata metadata;
  private final Searches searches;
  private final HealthReader shardHealth;
  private final NodesStatsApi nodes;

  public ClusterStatsApi(
      Clock clock,
      NodeSettings settings,
      Metadata metadata,
      Searches searches,
      HealthReader shardHealth,
      NodesStatsApi nodes) {
    this.clock = clock;
    this.settings = settings;
    this.metadata = metadata;
    this.searches = searches;
    this.shardHealth = shardHealth;
    this.nodes = nodes;
  }

  @Override
  public Answer handle(ApiRequest request) throws IOException, InterruptedException {
    ClusterState state = metadata.current();
    ClusterHealth health = shardHealth.of("", ClusterHealth.EVERYTHING);
    List<ShardFigures> shards =
        health.indices().stream().flatMap(index -> index.shards().stream()).toList();
    ShardStats sum = ShardFigures.sum(shards);
    FieldFigures fields =
        FieldFigures.sum(FieldFigures.of(searches::askIfOpen, clock, shards), shards);
    Broadcast.Seen seen = nodes.told(request, NodesTogether.METRICS);
    NodesTogether together =
        new NodesTogether(
            List.copyOf(seen.nodes().values()),
            settings.flavor().label(),
            StoredPipelines.definitions(state).size());
    return Answer.of(out -> {
      StatisticsWriter figures = new StatisticsWriter(out, request.human());
      out.writeStartObject();
      NodesJson.header(out, seen.nodes().size(), seen.silent().size());
      figures.text("cluster_name", settings.clusterName());
      figures.text("cluster_uuid", state.clusterUuid());
      figures.number("timestamp", clock.epochMillis());
      figures.text("status", health.status().label());
      figures.object(
          "indices",
          () -> {
            figures.number("count", state.indices().size());
            MappingUsage use = MappingUsage.of(state.indices().values());
            out.writeFieldName("mappings");
            out.writeTree(use.mappings());
            out.writeFieldName("analysis");
            out.writeTree(use.analysis());
            figures.object(
                "shards",
                () -> {
                  figures.number("total", health.started());
                  figures.number("primaries", health.started());
                  out.writeNumberField("replication", 0.0);
                  if (!health.indices().isEmpty()) {
                    figures.object("index", () -> byIndex(figures, health));
                  }
                });
            out.writeArrayFieldStart("versions");
            if (!shards.isEmpty()) {
              out.writeStartObject();
              figures.text("version", Version.API);
              figures.number("index_count", state.indices().size());
              figures.number("primary_shard_count", shards.size());
              if (request.human()) {
                figures.text("total_primary_size", new ByteSize(sum.storeBytes()).toString());
              }
              figures.number("total_primary_bytes", sum.storeBytes());
              out.writeEndObject();
            }
            out.writeEndArray();
            figures.object("search", () -> together.searches(figures));
            ShardStatsJson.write(
                figures,
                sum,
                SearchFigures.NONE,
                ShardStatsJson.Detail.NONE.with(fields),
                CacheFigures.sum(searches.caches().values()),
                SECTIONS::contains);
          });
      figures.object("nodes", () -> together.write(figures));
      repositories(figures, state);
      figures.object(
          "snapshots",
          () -> {
            figures.object("current_counts", () -> together.snapshots(figures));
            figures.object("repositories", () -> {});
          });
      elsewhere(figures);
      out.writeEndObject();
    });
  }

  /// How many shards indices have, at least, at most and on average.
  private static void byIndex(StatisticsWriter figures, ClusterHealth health) throws IOException {
    IntSummaryStatistics shards =
        health.indices().stream().mapToInt(index -> index.shards().size()).summaryStatistics();
    for (String name : List.of("shards", "primaries")) {
      figures.object(
          name,
          () -> {
            figures.number("min", shards.getMin());
            figures.number("max", shards.getMax());
            figures.decimal("avg", shards.getAverage());
          });
    }
    figures.object(
        "replication",
        () -> {
          for (String name : List.of("min", "max", "avg")) {
            figures.decimal(name, 0.0);
          }
        });
  }

  /// How many repositories there are of each type, and how many may be written.
  private static void repositories(StatisticsWriter figures, ClusterState state)
      throws IOException {
    SortedMap<String, SortedMap<String, Integer>> types = new TreeMap<>();
    for (Repository repository : Repositories.all(state).values()) {
      SortedMap<String, Integer> uses =
          types.computeIfAbsent(repository.type(), _ -> new TreeMap<>());
      uses.merge("count", 1, Integer::sum);
      uses.merge(repository.isReadOnly() ? "read_only" : "read_write", 1, Integer::sum);
    }
    figures.object(
        "repositories",
        () -> {
          for (Map.Entry<String, SortedMap<String, Integer>> type : types.entrySet()) {
            figures.object(
                type.getKey(),
                () -> {
                  for (Map.Entry<String, Integer> use : type.getValue().entrySet()) {
                    figures.number(use.getKey(), use.getValue());
                  }
                });
          }
        });
  }

  /// Searches of other clusters, of which there are none.
  private static void elsewhere(StatisticsWriter figures) throws IOException {
    figures.object(
        "ccs",
        () ->
            figures.object(
                "_search",
                () -> {
                  for (String kind : List.of("total", "success", "skipped")) {
                    figures.number(kind, 0);
                  }
                  for (String took : List.of("took", "took_mrt_true", "took_mrt_false")) {
                    figures.object(
                        took,
                        () -> {
                          for (String part : List.of("max", "avg", "p90")) {
                            figures.number(part, 0);
                          }
                        });
                  }
                  figures.number("remotes_per_search_max", 0);
                  figures.decimal("remotes_per_search_avg", 0);
                  for (String kind :
                      List.of("failure_reasons", "features", "clients", "clusters")) {
                    figures.object(kind, () -> {});
                  }
                }));
  }
}
