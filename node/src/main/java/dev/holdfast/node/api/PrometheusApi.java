package dev.holdfast.node.api;

import dev.holdfast.indexing.ShardStats;
import dev.holdfast.node.Rooms;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.node.http.HttpCounters;
import dev.holdfast.objectstore.StoreCounters;
import dev.holdfast.world.WorkPool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `GET /_prometheus/metrics`: what is measured of this node, in Prometheus' text format.
final class PrometheusApi implements Api {
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Rooms rooms;

  PrometheusApi(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public Answer handle(ApiRequest request) throws IOException {
    Lines lines = new Lines();
    store(lines, rooms.instruments().store().snapshot());
    http(lines);
    process(lines, Machine.now(rooms.settings().data()));
    for (WorkPool pool : rooms.instruments().pools()) {
      String label = "pool=\"" + pool.name() + "\"";
      lines.gauge("holdfast_pool_active_threads", label, pool.active());
      lines.gauge("holdfast_pool_queue", label, pool.queued());
      lines.counter("holdfast_pool_completed_total", label, pool.completed());
      lines.counter("holdfast_pool_rejected_total", label, pool.rejected());
    }
    shards(lines);
    return Answer.raw(200, CONTENT_TYPE, lines.text().getBytes(StandardCharsets.UTF_8));
  }

  private static void store(Lines lines, List<StoreCounters.Line> counted) {
    for (StoreCounters.Line line : counted) {
      String labels =
          "purpose=\""
              + line.purpose().label()
              + "\",kind=\""
              + line.kind().name().toLowerCase(Locale.ROOT)
              + "\"";
      lines.counter("holdfast_store_requests_total", labels, line.requests());
      lines.counter("holdfast_store_errors_total", labels, line.errors());
      lines.counter("holdfast_store_written_bytes_total", labels, line.bytesWritten());
      lines.counter("holdfast_store_read_bytes_total", labels, line.bytesRead());
      lines.counter("holdfast_store_dollars_total", labels, line.dollars());
    }
  }

  private void http(Lines lines) {
    HttpCounters http = rooms.instruments().http();
    lines.counter("holdfast_http_requests_total", "", http.requests());
    lines.gauge("holdfast_http_requests_current", "", http.current());
    lines.gauge("holdfast_http_connections", "", rooms.instruments().connections().getAsInt());
    lines.counter("holdfast_http_request_bytes_total", "", http.requestBytes());
    lines.counter("holdfast_http_answer_bytes_total", "", http.answerBytes());
    lines.counter("holdfast_http_errors_total", "side=\"client\"", http.clientErrors());
    lines.counter("holdfast_http_errors_total", "side=\"server\"", http.serverErrors());
    lines.counter("holdfast_http_seconds_total", "", http.millis() / 1000.0);
    lines.gauge("holdfast_http_in_flight_bytes", "", rooms.instruments().requestBytes().bytes());
    lines.counter(
        "holdfast_http_in_flight_refused_total", "", rooms.instruments().requestBytes().tripped());
  }

  private void process(Lines lines, Machine machine) {
    lines.gauge("holdfast_jvm_heap_used_bytes", "", machine.heapUsed());
    lines.gauge("holdfast_jvm_heap_max_bytes", "", machine.heapMax());
    lines.gauge("holdfast_jvm_non_heap_used_bytes", "", machine.otherUsed());
    lines.counter("holdfast_process_cpu_seconds_total", "", machine.processCpuMillis() / 1000.0);
    lines.gauge("holdfast_process_open_files", "", machine.filesOpen());
    lines.gauge("holdfast_disk_free_bytes", "", machine.diskUsable());
    lines.gauge(
        "holdfast_uptime_seconds",
        "",
        (rooms.world().clock().epochMillis() - rooms.identity().startMillis()) / 1000.0);
  }

  private void shards(Lines lines) throws IOException {
    List<ShardFigures> shards =
        ShardFigures.of(rooms.indexing(), rooms.metadata().current().indices().values());
    ShardStats sum = ShardFigures.sum(shards);
    lines.gauge("holdfast_shards", "", shards.size());
    lines.gauge(
        "holdfast_shards_started", "", shards.stream().filter(ShardFigures::isStarted).count());
    lines.gauge("holdfast_documents", "", sum.documents());
    lines.gauge("holdfast_stored_bytes", "", sum.storeBytes());
    lines.gauge("holdfast_segments", "", sum.segments());
    lines.counter("holdfast_index_operations_total", "", sum.indexOperations());
    lines.counter("holdfast_refreshes_total", "", sum.refreshes());
    lines.counter("holdfast_merges_total", "", sum.merges());
    lines.counter("holdfast_uploads_total", "", sum.uploads());
    lines.counter("holdfast_uploaded_bytes_total", "", sum.uploadedBytes());
  }

  /// Samples grouped by name, each group after its `# TYPE` line, as the format wants it.
  private static final class Lines {
    private final Map<String, StringBuilder> groups = new LinkedHashMap<>();

    void counter(String name, String labels, Number value) {
      add(name, "counter", labels, value);
    }

    void gauge(String name, String labels, Number value) {
      add(name, "gauge", labels, value);
    }

    private void add(String name, String type, String labels, Number value) {
      StringBuilder group =
          groups.computeIfAbsent(name, n -> new StringBuilder("# TYPE " + n + " " + type + "\n"));
      group.append(name);
      if (!labels.isEmpty()) {
        group.append('{').append(labels).append('}');
      }
      group.append(' ');
      group.append(value);
      group.append('\n');
    }

    String text() {
      return String.join("", groups.values());
    }
  }
}
