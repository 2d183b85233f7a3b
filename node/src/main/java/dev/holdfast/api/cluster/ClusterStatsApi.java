package dev.holdfast.api.cluster;

import dev.holdfast.api.cluster.health.ClusterHealth;
import dev.holdfast.api.cluster.health.HealthReader;
import dev.holdfast.api.cluster.member.NodeRoles;
import dev.holdfast.api.ingest.StoredPipelines;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.api.stats.HostStats;
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
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.identity.Version;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.search.Searches;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.coordination.SearchFigures;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.Clock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// `GET /_cluster/stats`: the cluster in a few sums.
public final class ClusterStatsApi implements Api {
  private final Clock clock;
  private final NodeSettings settings;
  private final NodeIdentity self;
  private final Metadata metadata;
  private final Searches searches;
  private final HealthReader shardHealth;
  private final NodesStatsApi node;

  public ClusterStatsApi(
      Clock clock,
      NodeSettings settings,
      NodeIdentity self,
      Metadata metadata,
      Searches searches,
      HealthReader shardHealth,
      NodesStatsApi node) {
    this.clock = clock;
    this.settings = settings;
    this.self = self;
    this.metadata = metadata;
    this.searches = searches;
    this.shardHealth = shardHealth;
    this.node = node;
  }

  @Override
  public Answer handle(ApiRequest request) throws IOException {
    ClusterState state = metadata.current();
    ClusterHealth health = shardHealth.of("", ClusterHealth.EVERYTHING);
    List<ShardFigures> shards =
        health.indices().stream().flatMap(index -> index.shards().stream()).toList();
    ShardStats sum = ShardFigures.sum(shards);
    HostStats machine = HostStats.now(settings.data());
    return Answer.of(out -> {
      StatisticsWriter figures = new StatisticsWriter(out, request.human());
      out.writeStartObject();
      NodesJson.header(out, 1);
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
              figures.bytes("total_primary", sum.storeBytes());
              out.writeEndObject();
            }
            out.writeEndArray();
            ShardStatsJson.write(
                figures,
                sum,
                SearchFigures.NONE,
                ShardStatsJson.Detail.NONE,
                CacheFigures.sum(searches.caches().values()),
                section ->
                    List.of("docs", "store", "fielddata", "query_cache", "completion", "segments")
                        .contains(section));
          });
      figures.object("nodes", () -> nodes(figures, machine, state));
      repositories(figures, state);
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

  /// What this node does not count: snapshots that are being made, and searches elsewhere.
  private static void elsewhere(StatisticsWriter figures) throws IOException {
    figures.object(
        "snapshots",
        () -> {
          figures.object(
              "current_counts",
              () -> {
                for (String kind :
                    List.of(
                        "snapshots",
                        "shard_snapshots",
                        "snapshot_deletions",
                        "concurrent_operations",
                        "cleanups")) {
                  figures.number(kind, 0);
                }
              });
          figures.object("repositories", () -> {});
        });
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
                  for (String kind :
                      List.of("failure_reasons", "features", "clients", "clusters")) {
                    figures.object(kind, () -> {});
                  }
                }));
  }

  private static void named(StatisticsWriter figures, String list, String field, String name)
      throws IOException {
    figures.objects(
        list,
        () -> {
          figures.text(field, name);
          figures.number("count", 1);
        });
  }

  private void nodes(StatisticsWriter figures, HostStats machine, ClusterState state)
      throws IOException {
    figures.object(
        "count",
        () -> {
          figures.number("total", 1);
          figures.number("coordinating_only", 0);
          for (String role : NodeRoles.names()) {
            figures.number(role, 1);
          }
        });
    figures.strings("versions", List.of(Version.API));
    figures.object(
        "os",
        () -> {
          figures.number("available_processors", Runtime.getRuntime().availableProcessors());
          figures.number("allocated_processors", Runtime.getRuntime().availableProcessors());
          named(figures, "names", "name", HostStats.systemName());
          named(figures, "pretty_names", "pretty_name", HostStats.systemName());
          named(figures, "architectures", "arch", HostStats.architecture());
          NodesJson.memory(figures, machine);
        });
    figures.object(
        "process",
        () -> {
          figures.object("cpu", () -> figures.number("percent", machine.cpuPercent()));
          figures.object(
              "open_file_descriptors",
              () -> {
                figures.number("min", machine.filesOpen());
                figures.number("max", machine.filesOpen());
                figures.number("avg", machine.filesOpen());
              });
        });
    figures.object(
        "jvm",
        () -> {
          figures.millis("max_uptime", clock.epochMillis() - self.startMillis());
          figures.objects(
              "versions",
              () -> {
                RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
                figures.text("version", System.getProperty("java.version", ""));
                figures.text("vm_name", runtime.getVmName());
                figures.text("vm_version", runtime.getVmVersion());
                figures.text("vm_vendor", runtime.getVmVendor());
                figures.flag("bundled_jdk", false);
                figures.number("count", 1);
              });
          figures.object(
              "mem",
              () -> {
                figures.bytes("heap_used", machine.heapUsed());
                figures.bytes("heap_max", machine.heapMax());
              });
          figures.number("threads", HostStats.threads());
        });
    figures.object(
        "fs",
        () -> {
          figures.bytes("total", machine.diskTotal());
          figures.bytes("free", machine.diskFree());
          figures.bytes("available", machine.diskUsable());
        });
    figures.strings("plugins", List.of());
    figures.object(
        "network_types",
        () -> {
          figures.object("transport_types", () -> figures.number("http", 1));
          figures.object("http_types", () -> figures.number("http", 1));
        });
    figures.object("discovery_types", () -> figures.number("object-store", 1));
    figures.objects(
        "packaging_types",
        () -> {
          figures.text("flavor", settings.flavor().label());
          figures.text("type", "tar");
          figures.number("count", 1);
        });
    figures.object("indexing_pressure", () -> node.pressure(figures));
    figures.object(
        "ingest",
        () -> {
          figures.number("number_of_pipelines", StoredPipelines.definitions(state).size());
          figures.object("processor_stats", () -> node.processors(figures));
        });
  }
}
