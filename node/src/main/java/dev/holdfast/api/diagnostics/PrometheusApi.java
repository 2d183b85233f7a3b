package dev.holdfast.api.diagnostics;

import dev.holdfast.api.scaling.AutoscalingApi;
import dev.holdfast.api.stats.HostStats;
import dev.holdfast.api.stats.ProcessGauges;
import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.server.HttpCounters;
import dev.holdfast.http.server.RequestBytes;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.world.Breakers;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Clock;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.real.ThreadPriority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/// `GET /_prometheus/metrics`: what is measured of this node, and of nothing else: sums over nodes
/// are sums over the cluster.
public final class PrometheusApi implements Api {
  private final Clock clock;
  private final Path data;
  private final NodeIdentity self;
  private final StoreCounters counters;
  private final ProcessGauges gauges;
  private final RunningTasks tasks;
  private final TierMetrics tiers;
  private final AutoscalingApi scaling;

  public PrometheusApi(
      Clock clock,
      Path data,
      NodeIdentity self,
      StoreCounters counters,
      ProcessGauges gauges,
      RunningTasks tasks,
      TierMetrics tiers,
      AutoscalingApi scaling) {
    this.clock = clock;
    this.data = data;
    this.self = self;
    this.counters = counters;
    this.gauges = gauges;
    this.tasks = tasks;
    this.tiers = tiers;
    this.scaling = scaling;
  }

  @Override
  public Answer handle(ApiRequest request) throws IOException {
    PrometheusExposition lines = new PrometheusExposition();
    store(lines);
    BudgetMetrics.add(lines, counters.pace());
    http(lines);
    process(lines, HostStats.now(data));
    pools(lines);
    memory(lines);
    tiers.add(lines);
    ScalingMetrics.add(lines, scaling);
    return Answer.raw(
        200, PrometheusExposition.CONTENT_TYPE, lines.text().getBytes(StandardCharsets.UTF_8));
  }

  private void store(PrometheusExposition lines) {
    for (StoreCounters.Times times : counters.times()) {
      lines.histogram(
          "holdfast_store_seconds",
          "How long requests to the object store took, each try by itself.",
          times.seconds(),
          "purpose",
          times.purpose().label(),
          "kind",
          times.kind().name().toLowerCase(Locale.ROOT));
    }
    for (StoreCounters.Line line : counters.snapshot()) {
      String[] labels = {
        "purpose", line.purpose().label(), "kind", line.kind().name().toLowerCase(Locale.ROOT)
      };
      lines.counter(
          "holdfast_store_requests_total",
          "Requests to the object store, each try counted.",
          line.requests(),
          labels);
      lines.counter(
          "holdfast_store_errors_total",
          "Requests to the object store that failed.",
          line.errors(),
          labels);
      lines.counter(
          "holdfast_store_written_bytes_total",
          "Bytes sent to the object store.",
          line.bytesWritten(),
          labels);
      lines.counter(
          "holdfast_store_read_bytes_total",
          "Bytes read from the object store.",
          line.bytesRead(),
          labels);
      lines.counter(
          "holdfast_store_dollars_total",
          "What the requests cost at list prices.",
          line.dollars(),
          labels);
    }
  }

  private void http(PrometheusExposition lines) {
    tasks
        .seconds()
        .forEach((action, seconds) ->
            lines.histogram(
                "holdfast_http_seconds",
                "How long requests took, by what they do.",
                seconds,
                "action",
                action));
    HttpCounters http = gauges.http();
    lines.counter("holdfast_http_requests_total", "Requests of clients.", http.requests());
    lines.gauge("holdfast_http_requests_current", "Requests under way.", http.current());
    lines.gauge(
        "holdfast_http_connections", "Connections of clients.", gauges.connections().getAsInt());
    lines.counter("holdfast_http_request_bytes_total", "Bytes of requests.", http.requestBytes());
    lines.counter("holdfast_http_answer_bytes_total", "Bytes of answers.", http.answerBytes());
    String errors = "Answers with a status of 4xx (client) or 5xx (server).";
    lines.counter("holdfast_http_errors_total", errors, http.clientErrors(), "side", "client");
    lines.counter("holdfast_http_errors_total", errors, http.serverErrors(), "side", "server");
    lines.counter(
        "holdfast_http_seconds_total",
        "Time from the first byte of a request to its answer.",
        http.millis() / 1000.0);
    lines.gauge(
        "holdfast_http_in_flight_bytes",
        "Bytes of request bodies held.",
        gauges.requestBytes().bytes());
    lines.counter(
        "holdfast_http_in_flight_refused_total",
        "Requests refused because too many bytes were held.",
        gauges.requestBytes().tripped());
  }

  private void process(PrometheusExposition lines, HostStats machine) {
    lines.gauge("holdfast_jvm_heap_used_bytes", "Java heap used.", machine.heapUsed());
    lines.gauge("holdfast_jvm_heap_max_bytes", "Java heap, at most.", machine.heapMax());
    lines.gauge(
        "holdfast_jvm_non_heap_used_bytes", "Java memory beside the heap.", machine.otherUsed());
    lines.counter(
        "holdfast_process_cpu_seconds_total",
        "Processor time of the process.",
        machine.processCpuMillis() / 1000.0);
    lines.gauge("holdfast_process_open_files", "Open file descriptors.", machine.filesOpen());
    lines.gauge(
        "holdfast_disk_free_bytes", "Free on the disk of the data folder.", machine.diskUsable());
    lines.gauge(
        "holdfast_uptime_seconds",
        "Since the process started.",
        (clock.epochMillis() - self.startMillis()) / 1000.0);
  }

  private void memory(PrometheusExposition lines) {
    Breakers memory = gauges.memory();
    CircuitBreaker request = memory.request();
    CircuitBreaker fieldData = memory.fieldData();
    RequestBytes bodies = gauges.requestBytes();
    breaker(lines, "fielddata", fieldData.bytes(), fieldData.limit(), fieldData.tripped());
    breaker(lines, "parent", memory.heap().bytes(), memory.heap().limit(), memory.heap().tripped());
    breaker(lines, "request", request.bytes(), request.limit(), request.tripped());
    breaker(lines, "inflight_requests", bodies.bytes(), bodies.bytesMax(), bodies.tripped());
    lines.counter(
        "holdfast_large_requests_waited_seconds_total",
        "What large requests waited because collections of the heap took too much of the time.",
        memory.heap().waitedNanos() / 1e9);
    lines.histogram(
        "holdfast_gc_pause_seconds",
        "How long collections of the heap stopped everything.",
        gauges.pauses().seconds());
  }

  private static void breaker(
      PrometheusExposition lines, String name, long bytes, long limit, long tripped) {
    String[] label = {"breaker", name};
    lines.gauge("holdfast_breaker_bytes", "What a budget of memory holds.", bytes, label);
    lines.gauge("holdfast_breaker_limit_bytes", "What it may hold.", limit, label);
    lines.counter(
        "holdfast_breaker_tripped_total", "Requests refused for lack of memory.", tripped, label);
  }

  private void pools(PrometheusExposition lines) {
    lines.counter(
        "holdfast_threads_lowered_total",
        "Threads whose priority was lowered because their work has taken long.",
        ThreadPriority.lowered());
    for (WorkPool pool : gauges.pools()) {
      String[] label = {"pool", pool.name()};
      lines.gauge("holdfast_pool_threads", "Threads of a pool.", pool.size(), label);
      lines.gauge("holdfast_pool_active_threads", "Threads that work.", pool.active(), label);
      lines.gauge("holdfast_pool_queue", "Work that waits for a thread.", pool.queued(), label);
      lines.counter("holdfast_pool_completed_total", "Work done.", pool.completed(), label);
      lines.counter(
          "holdfast_pool_rejected_total", "Work refused: full queue.", pool.rejected(), label);
    }
  }
}
