package dev.holdfast.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.telemetry.OtlpReceiver.Received;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// Traces of two real nodes, as a collector receives them.
final class TracesTest {
  private static final String SPAN = "00f067aa0ba902b7";
  private static final String WRITE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SEARCH = "4bf92f3577b34da6a3ce929d0e0e4737";

  @TempDir Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void aTraceGoesThroughTwoNodesAndReachesTheCollectorWhole() throws Exception {
    ListAppender<ILoggingEvent> slow = new ListAppender<>();
    slow.start();
    Logger log = (Logger) LoggerFactory.getLogger("index.search.slowlog.query");
    Level before = log.getLevel();
    log.setLevel(Level.TRACE);
    log.addAppender(slow);
    try (OtlpReceiver collector = new OtlpReceiver()) {
      try (NodeFixture index = node("index", collector);
          NodeFixture search = node("search", collector)) {
        send(
            index,
            "PUT",
            "/books",
            "-",
            "{\"settings\":{\"index.search.slowlog.threshold.query.trace\":\"0ms\"}}");
        send(search, "PUT", "/books/_doc/1?refresh=true", WRITE, "{\"a\":1}");
        HttpResponse<String> answer = send(index, "POST", "/books/_search", SEARCH, "{}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("traceresponse").orElse("")).contains(SEARCH);
      }
      List<Received> ofSearch = of(collector, SEARCH);
      assertThat(ofSearch)
          .extracting(Received::name)
          .contains("POST /{index}/_search", "search", "call search/query", "query", "fetch");
      Map<String, Received> byId =
          ofSearch.stream().collect(Collectors.toMap(Received::spanId, span -> span));
      assertThat(ofSearch)
          .allMatch(span -> span.parentId().equals(SPAN) || byId.containsKey(span.parentId()));
      assertThat(of(collector, WRITE))
          .extracting(Received::name)
          .contains("write", "wait for the log", "log upload", "store put translog");
      assertThat(collector.spans).extracting(Received::traceId).containsOnly(WRITE, SEARCH);
      assertThat(slow.list)
          .anySatisfy(line ->
              assertThat(line.getFormattedMessage())
                  .contains("x_opaque_id=report", "trace_id=" + SEARCH));
    } finally {
      log.detachAppender(slow);
      log.setLevel(before);
    }
  }

  @Test
  void aCollectorThatIsAwayCostsNoRequest() throws Exception {
    Map<String, String> given =
        Map.of(
            "telemetry.tracing.enabled", "true",
            "telemetry.agent.transaction_sample_rate", "1",
            "otel.exporter.otlp.endpoint", "http://127.0.0.1:1");
    try (NodeFixture node = new NodeFixture(folder, given)) {
      for (int i = 0; i < 3_000; i++) {
        assertThat(send(node, "GET", "/_holdfast/live", "-", "").statusCode()).isEqualTo(200);
      }
    }
  }

  private NodeFixture node(String role, OtlpReceiver collector) throws Exception {
    Map<String, String> given = new TreeMap<>();
    given.put("roles", role);
    given.put("store", "file:" + folder.resolve("store"));
    given.put("telemetry.tracing.enabled", "true");
    given.put("telemetry.agent.transaction_sample_rate", "0");
    given.put("otel.exporter.otlp.endpoint", collector.endpoint());
    return new NodeFixture(folder.resolve(role), given);
  }

  private static List<Received> of(OtlpReceiver collector, String trace) {
    return collector.spans.stream().filter(span -> span.traceId().equals(trace)).toList();
  }

  /// @param trace that the request is part of; `-` for none
  private HttpResponse<String> send(
      NodeFixture node, String method, String path, String trace, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + path))
            .header("Content-Type", "application/json")
            .header("X-Opaque-Id", "report")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!trace.equals("-")) {
      request.header("traceparent", "00-" + trace + "-" + SPAN + "-01");
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
