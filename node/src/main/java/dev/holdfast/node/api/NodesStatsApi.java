package dev.holdfast.node.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.node.NodeIdentity;
import dev.holdfast.node.Rooms;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.node.http.HttpCounters;
import dev.holdfast.node.http.RequestBytes;
import dev.holdfast.search.SearchFigures;
import dev.holdfast.world.WorkPool;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// `GET /_nodes/stats`: what nodes are doing, in numbers.
final class NodesStatsApi implements Api {
  static final List<String> PARAMETERS =
      List.of(
          "completion_fields",
          "fielddata_fields",
          "fields",
          "groups",
          "include_segment_file_sizes",
          "include_unloaded_segments",
          "level",
          "timeout",
          "types");

  private static final Set<String> METRICS =
      new TreeSet<>(
          List.of(
              "adaptive_selection",
              "allocations",
              "breaker",
              "discovery",
              "fs",
              "http",
              "indexing_pressure",
              "indices",
              "ingest",
              "jvm",
              "os",
              "process",
              "repositories",
              "script",
              "script_cache",
              "thread_pool",
              "transport"));

  private final Rooms rooms;

  NodesStatsApi(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public Answer handle(ApiRequest request) throws IOException {
    NodeChoice choice = NodeChoice.of(request, rooms.identity(), METRICS);
    List<String> sections = request.list("index_metric");
    ShardStatsJson.Detail detail = ShardStatsJson.Detail.of(request);
    return Answer.of(out -> {
      out.writeStartObject();
      NodesJson.header(out, choice.isThisNode() ? 1 : 0);
      out.writeStringField("cluster_name", rooms.settings().clusterName());
      out.writeObjectFieldStart("nodes");
      if (choice.isThisNode()) {
        node(out, choice.metrics(), sections, detail, new Figures(out, request.human()));
      }
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  private void node(
      JsonGenerator out,
      Set<String> metrics,
      List<String> sections,
      ShardStatsJson.Detail detail,
      Figures figures)
      throws IOException {
    NodeIdentity node = rooms.identity();
    Machine machine = Machine.now(rooms.settings().data());
    long now = rooms.world().clock().epochMillis();
    out.writeObjectFieldStart(node.id());
    figures.number("timestamp", now);
    figures.text("name", node.name());
    figures.text("transport_address", node.address());
    figures.text("host", node.host());
    figures.text("ip", node.address());
    figures.strings("roles", NodeRoles.names(node));
    figures.object("attributes", () -> {});
    section(figures, metrics, "indices", () -> indices(figures, sections, detail));
    section(figures, metrics, "os", () -> MachineJson.os(figures, machine, now));
    section(figures, metrics, "process", () -> MachineJson.process(figures, machine, now));
    section(
        figures, metrics, "jvm", () -> JvmJson.write(figures, machine, now, node.startMillis()));
    section(figures, metrics, "thread_pool", () -> pools(figures));
    section(figures, metrics, "fs", () -> MachineJson.disk(figures, machine, now));
    section(figures, metrics, "http", () -> http(figures));
    if (metrics.contains("breaker")) {
      figures.object("breakers", () -> breakers(figures, machine));
    }
    section(figures, metrics, "transport", () -> transport(figures));
    section(figures, metrics, "indexing_pressure", () -> pressure(figures));
    section(figures, metrics, "ingest", () -> ingest(figures));
    out.writeEndObject();
  }

  private static void section(
      Figures figures, Set<String> metrics, String name, Figures.Inside inside) throws IOException {
    if (metrics.contains(name)) {
      figures.object(name, inside);
    }
  }

  private void indices(Figures figures, List<String> sections, ShardStatsJson.Detail detail)
      throws IOException {
    SearchFigures searches = SearchFigures.NONE;
    for (IndexMetadata index : rooms.metadata().current().indices().values()) {
      searches = searches.plus(rooms.searches().figures(index.id()));
    }
    List<ShardFigures> shards =
        ShardFigures.of(rooms.indexing(), rooms.metadata().current().indices().values());
    ShardStatsJson.write(
        figures,
        ShardFigures.sum(shards),
        searches,
        detail,
        name -> sections.isEmpty() || sections.contains("_all") || sections.contains(name));
  }

  private void pools(Figures figures) throws IOException {
    for (WorkPool pool : rooms.instruments().pools()) {
      figures.object(
          pool.name(),
          () -> {
            figures.number("threads", pool.threads());
            figures.number("queue", pool.queued());
            figures.number("active", pool.active());
            figures.number("rejected", pool.rejected());
            figures.number("largest", pool.threads());
            figures.number("completed", pool.completed());
          });
    }
  }

  private void http(Figures figures) throws IOException {
    HttpCounters counters = rooms.instruments().http();
    figures.number("current_open", rooms.instruments().connections().getAsInt());
    figures.number("current_requests", counters.current());
    figures.number("total_requests", counters.requests());
    figures.bytes("total_request", counters.requestBytes());
    figures.bytes("total_answer", counters.answerBytes());
    figures.number("client_errors", counters.clientErrors());
    figures.number("server_errors", counters.serverErrors());
  }

  private void breakers(Figures figures, Machine machine) throws IOException {
    RequestBytes bytes = rooms.instruments().requestBytes();
    figures.object(
        "in_flight_requests",
        () -> breaker(figures, bytes.bytesMax(), bytes.bytes(), bytes.tripped()));
    figures.object("parent", () -> breaker(figures, machine.heapMax(), machine.heapUsed(), 0));
  }

  private static void breaker(Figures figures, long limit, long estimated, long tripped)
      throws IOException {
    figures.sized("limit_size", limit);
    figures.sized("estimated_size", estimated);
    figures.decimal("overhead", 1.0);
    figures.number("tripped", tripped);
  }

  /// Nodes speak through the object store: nothing is sent to others yet.
  private static void transport(Figures figures) throws IOException {
    figures.number("server_open", 0);
    figures.number("total_outbound_connections", 0);
    figures.number("rx_count", 0);
    figures.bytes("rx_size", 0);
    figures.number("tx_count", 0);
    figures.bytes("tx_size", 0);
  }

  private void pressure(Figures figures) throws IOException {
    RequestBytes bytes = rooms.instruments().requestBytes();
    figures.object(
        "memory",
        () -> {
          figures.object("current", () -> stages(figures, bytes.bytes()));
          figures.object(
              "total",
              () -> {
                stages(figures, rooms.instruments().http().requestBytes());
                figures.number("coordinating_rejections", bytes.tripped());
                figures.number("primary_rejections", 0);
                figures.number("replica_rejections", 0);
              });
          figures.bytes("limit", bytes.bytesMax());
        });
  }

  private static void stages(Figures figures, long bytes) throws IOException {
    figures.bytes("combined_coordinating_and_primary", bytes);
    figures.bytes("coordinating", bytes);
    figures.bytes("primary", 0);
    figures.bytes("replica", 0);
    figures.bytes("all", bytes);
  }

  private static void ingest(Figures figures) throws IOException {
    figures.object(
        "total",
        () -> {
          figures.number("count", 0);
          figures.millis("time", 0);
          figures.number("current", 0);
          figures.number("failed", 0);
        });
    figures.object("pipelines", () -> {});
  }
}
