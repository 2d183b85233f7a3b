package dev.holdfast.api.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.api.cluster.member.NodeRoles;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.api.snapshot.RunningSnapshots;
import dev.holdfast.api.stats.FigureSums;
import dev.holdfast.api.stats.NodesJson;
import dev.holdfast.api.stats.SearchUsage;
import dev.holdfast.api.stats.StatisticsWriter;
import dev.holdfast.identity.Version;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// The section `nodes` of `_cluster/stats`: sums over the nodes that answered.
///
/// @param nodes what each told of the sections [#METRICS]
/// @param flavor of the build
/// @param pipelines how many there are
record NodesTogether(List<JsonNode> nodes, String flavor, int pipelines) {
  /// What is asked of each node.
  static final List<String> METRICS =
      List.of(
          "os",
          "process",
          "jvm",
          "fs",
          "indexing_pressure",
          "ingest",
          NodesStatsApi.MACHINE,
          NodesStatsApi.SNAPSHOTS,
          NodesStatsApi.USAGE);

  void write(StatisticsWriter figures) throws IOException {
    figures.object(
        "count",
        () -> {
          figures.number("total", nodes.size());
          figures.number("coordinating_only", 0);
          for (String role : NodeRoles.names()) {
            figures.number(role, nodes.size());
          }
          for (String role : NodeRoles.NOBODYS) {
            figures.number(role, 0);
          }
        });
    figures.strings("versions", nodes.isEmpty() ? List.of() : List.of(Version.API));
    figures.object("os", () -> os(figures));
    figures.object("process", () -> process(figures));
    figures.object("jvm", () -> jvm(figures));
    figures.object(
        "fs",
        () -> {
          figures.bytes("total", sum("/fs/total/total_in_bytes"));
          figures.bytes("free", sum("/fs/total/free_in_bytes"));
          figures.bytes("available", sum("/fs/total/available_in_bytes"));
        });
    figures.strings("plugins", List.of());
    figures.object(
        "network_types",
        () -> {
          figures.object("transport_types", () -> figures.number("http", nodes.size()));
          figures.object("http_types", () -> figures.number("http", nodes.size()));
        });
    figures.object("discovery_types", () -> figures.number("object-store", nodes.size()));
    figures.objects(
        "packaging_types",
        () -> {
          figures.text("flavor", flavor);
          figures.text("type", "tar");
          figures.number("count", nodes.size());
        });
    figures.object(
        "indexing_pressure",
        () ->
            FigureSums.write(
                figures,
                FigureSums.of(
                    nodes.stream().map(node -> node.path("indexing_pressure")).toList())));
    figures.object(
        "ingest",
        () -> {
          figures.number("number_of_pipelines", pipelines);
          figures.object("processor_stats", () -> steps(figures));
        });
  }

  /// What clients of all of them searched by.
  void searches(StatisticsWriter figures) throws IOException {
    sums(figures, NodesStatsApi.USAGE, new SearchUsage()::write);
    figures.object("extended", () -> {});
  }

  /// What all of them do with snapshots.
  void snapshots(StatisticsWriter figures) throws IOException {
    sums(figures, NodesStatsApi.SNAPSHOTS, new RunningSnapshots("")::write);
  }

  /// @param nothing what a node tells that has nothing to tell
  private void sums(StatisticsWriter figures, String section, NodesStatsApi.Section nothing)
      throws IOException {
    List<JsonNode> told = new ArrayList<>();
    try (TokenBuffer none = new TokenBuffer(Json.MAPPER, false)) {
      none.writeStartObject();
      nothing.write(new StatisticsWriter(none, false));
      none.writeEndObject();
      told.add(Json.MAPPER.readTree(none.asParser()));
    }
    nodes.forEach(node -> told.add(node.path(section)));
    FigureSums.write(figures, FigureSums.of(told));
  }

  private long sum(String pointer) {
    return nodes.stream().mapToLong(node -> node.at(pointer).asLong()).sum();
  }

  private void os(StatisticsWriter figures) throws IOException {
    long processors = sum("/machine/processors");
    figures.number("available_processors", processors);
    figures.number("allocated_processors", processors);
    counted(figures, "names", "name", node -> node.at("/machine/name"));
    counted(figures, "pretty_names", "pretty_name", node -> node.at("/machine/name"));
    counted(figures, "architectures", "arch", node -> node.at("/machine/arch"));
    NodesJson.memory(figures, sum("/os/mem/total_in_bytes"), sum("/os/mem/free_in_bytes"));
  }

  private void process(StatisticsWriter figures) throws IOException {
    LongSummaryStatistics files =
        nodes.stream()
            .mapToLong(node -> node.at("/process/open_file_descriptors").asLong())
            .summaryStatistics();
    boolean isEmpty = nodes.isEmpty();
    figures.object("cpu", () -> figures.number("percent", sum("/process/cpu/percent")));
    figures.object(
        "open_file_descriptors",
        () -> {
          figures.number("min", isEmpty ? -1 : files.getMin());
          figures.number("max", isEmpty ? -1 : files.getMax());
          figures.number("avg", (long) files.getAverage());
        });
  }

  private void jvm(StatisticsWriter figures) throws IOException {
    figures.millis(
        "max_uptime",
        nodes.stream()
            .mapToLong(node -> node.at("/jvm/uptime_in_millis").asLong())
            .max()
            .orElse(0));
    figures.out().writeArrayFieldStart("versions");
    for (Map.Entry<JsonNode, Long> one : counts(node -> node.at("/machine/jvm")).entrySet()) {
      figures.out().writeStartObject();
      FigureSums.write(figures, one.getKey());
      figures.flag("bundled_jdk", false);
      figures.flag("using_bundled_jdk", false);
      figures.number("count", one.getValue());
      figures.out().writeEndObject();
    }
    figures.out().writeEndArray();
    figures.object(
        "mem",
        () -> {
          figures.bytes("heap_used", sum("/jvm/mem/heap_used_in_bytes"));
          figures.bytes("heap_max", sum("/jvm/mem/heap_max_in_bytes"));
        });
    figures.number("threads", sum("/jvm/threads/count"));
  }

  /// How many nodes tell which value; nodes of builds that tell none are left out.
  private Map<JsonNode, Long> counts(Function<JsonNode, JsonNode> value) {
    Map<JsonNode, Long> counts = new LinkedHashMap<>();
    for (JsonNode node : nodes) {
      JsonNode one = value.apply(node);
      if (!one.isMissingNode()) {
        counts.merge(one, 1L, Long::sum);
      }
    }
    return counts;
  }

  private void counted(
      StatisticsWriter figures, String list, String field, Function<JsonNode, JsonNode> value)
      throws IOException {
    figures.out().writeArrayFieldStart(list);
    for (Map.Entry<JsonNode, Long> one : counts(value).entrySet()) {
      figures.out().writeStartObject();
      figures.text(field, one.getKey().asText());
      figures.number("count", one.getValue());
      figures.out().writeEndObject();
    }
    figures.out().writeEndArray();
  }

  /// What steps of pipelines did by their kind, whatever pipeline they are of.
  private void steps(StatisticsWriter figures) throws IOException {
    SortedMap<String, JsonNode> sums = new TreeMap<>();
    for (JsonNode node : nodes) {
      for (JsonNode pipeline : node.at("/ingest/pipelines")) {
        for (JsonNode named : pipeline.path("processors")) {
          for (JsonNode step : named) {
            sums.merge(
                step.path("type").asText(),
                step.path("stats"),
                (one, other) -> FigureSums.of(List.of(one, other)));
          }
        }
      }
    }
    for (Map.Entry<String, JsonNode> one : sums.entrySet()) {
      figures.object(one.getKey(), () -> FigureSums.write(figures, one.getValue()));
    }
  }
}
