package dev.holdfast.api.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/// What those see who run a node: whether it lives, how long things take, what is slow, as much log
/// as they ask for.
final class OperatorsTest {
  private static final Path DEPLOY = Path.of("../deploy");

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    node.fill("books", 10);
    JsonNode _ = node.ok("POST", "/books/_search", "{\"query\":{\"term\":{\"kind\":\"k1\"}}}");
  }

  private static PrometheusText metrics() throws Exception {
    return PrometheusText.parse(node.get("/_prometheus/metrics").body());
  }

  private static double summed(PrometheusText metrics, String start) {
    return metrics.samples().entrySet().stream()
        .filter(sample -> sample.getKey().startsWith(start))
        .mapToDouble(java.util.Map.Entry::getValue)
        .sum();
  }

  private static void settings(String body) throws Exception {
    JsonNode _ = node.ok("PUT", "/_cluster/settings", "{\"persistent\":{" + body + "}}");
  }

  @Test
  void aNodeThatRunsIsLiveAndReady() throws Exception {
    assertThat(node.get("/_holdfast/live").statusCode()).isEqualTo(200);
    JsonNode ready = node.ok("GET", "/_holdfast/ready", "");
    assertThat(ready.path("ready").asBoolean()).isTrue();
    assertThat(ready.path("reasons")).isEmpty();
  }

  @Test
  void requestsPhasesAndTheStoreAreTimed() throws Exception {
    PrometheusText metrics = metrics();
    String search = "{action=\"indices:data/read/search\"}";
    assertThat(metrics.value("holdfast_http_seconds_count" + search)).isPositive();
    assertThat(metrics.value("holdfast_http_seconds_sum" + search)).isPositive();
    assertThat(metrics.value("holdfast_search_phase_seconds_count{phase=\"query\"}")).isPositive();
    assertThat(metrics.value("holdfast_search_phase_seconds_count{phase=\"fetch\"}")).isPositive();
    assertThat(summed(metrics, "holdfast_store_seconds_count{purpose=\"translog\"")).isPositive();
    assertThat(metrics.types()).containsEntry("holdfast_gc_pause_seconds", "histogram");
  }

  @Test
  void aBreakerThatTripsIsCounted() throws Exception {
    String tripped = "holdfast_breaker_tripped_total{breaker=\"request\"}";
    double before = metrics().value(tripped);
    settings("\"indices.breaker.request.limit\":\"1b\"");
    int status =
        node.call(
                "POST",
                "/books/_search?request_cache=false",
                "{\"size\":0,\"aggs\":{\"a\":{\"terms\":{\"field\":\"n\",\"size\":30000}}}}")
            .statusCode();
    settings("\"indices.breaker.request.limit\":null");
    assertThat(status).isEqualTo(429);
    assertThat(metrics().value(tripped)).isGreaterThan(before);
    assertThat(metrics().value("holdfast_breaker_limit_bytes{breaker=\"parent\"}")).isPositive();
  }

  /// A name that no node has would make an alert that never fires.
  @Test
  void alertsAndDashboardNameMetricsThatThereAre() throws Exception {
    Set<String> there = new TreeSet<>(metrics().types().keySet());
    Set<String> named = new TreeSet<>();
    for (String file :
        new String[] {"prometheus/holdfast-alerts.yml", "grafana/holdfast-dashboard.json"}) {
      Matcher names =
          Pattern.compile("holdfast_[a-z_]+").matcher(Files.readString(DEPLOY.resolve(file)));
      while (names.find()) {
        named.add(names.group().replaceAll("_(bucket|sum|count)$", ""));
      }
    }
    assertThat(named).hasSizeGreaterThan(15);
    assertThat(there).containsAll(named);
    JsonNode dashboard =
        Json.parse(Files.readString(DEPLOY.resolve("grafana/holdfast-dashboard.json")));
    assertThat(dashboard.path("panels")).hasSizeGreaterThan(10);
  }

  @Test
  void levelsOfLoggersChangeAtRunTime() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger("dev.holdfast.some.part");
    settings("\"logger.dev.holdfast.some.part\":\"TRACE\"");
    assertThat(logger.getLevel()).isEqualTo(Level.TRACE);
    settings("\"logger.dev.holdfast.some.part\":null");
    assertThat(logger.getLevel()).isNull();
    // The slow logs, which would else write nothing below WARN any more.
    Logger slow = (Logger) LoggerFactory.getLogger("index");
    settings("\"logger.index\":\"OFF\"");
    assertThat(slow.getLevel()).isEqualTo(Level.OFF);
    settings("\"logger.index\":null");
    assertThat(slow.getLevel()).isEqualTo(Level.TRACE);
    JsonNode refused =
        node.refused(
            400,
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"logger.dev.holdfast.some.part\":\"loud\"}}");
    assertThat(refused.at("/error/reason").asText()).isEqualTo("Unknown level constant [loud].");
  }

  @Test
  void slowWritesAreWritten() throws Exception {
    ListAppender<ILoggingEvent> written = new ListAppender<>();
    written.start();
    Logger log = (Logger) LoggerFactory.getLogger("index.indexing.slowlog");
    log.addAppender(written);
    JsonNode _ =
        node.ok(
            "PUT",
            "/slow",
            """
            {"settings":{"index.indexing.slowlog.threshold.index.info":"0ms",
                         "index.indexing.slowlog.source":"9"}}\
            """);
    JsonNode _ = node.ok("PUT", "/slow/_doc/one", "{\"title\":\"a long one\"}");
    JsonNode _ =
        node.ok(
            "PUT", "/slow/_settings", "{\"index.indexing.slowlog.threshold.index.info\":\"-1\"}");
    JsonNode _ = node.ok("PUT", "/slow/_doc/two", "{\"title\":\"b\"}");
    log.detachAppender(written);
    assertThat(written.list).hasSize(1);
    assertThat(written.list.getFirst().getLevel()).isEqualTo(Level.INFO);
    assertThat(written.list.getFirst().getFormattedMessage())
        .startsWith("slow index [shard=[slow][0], took_millis=")
        .endsWith("documents=1, id=one, routing=, x_opaque_id=, trace_id=, source={\"title\":]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"index.indexing.slowlog.threshold.index.banana\":\"1s\"",
        "\"index.search.slowlog.threshold.warn\":\"1s\"",
        "\"index.indexing.slowlog.threshold.index.warn\":\"soon\"",
        "\"index.indexing.slowlog.source\":\"some\""
      })
  void aSlowLogThatIsNoneIsRefused(String setting) throws Exception {
    JsonNode refused = node.refused(400, "PUT", "/books/_settings", "{" + setting + "}");
    assertThat(refused.at("/error/type").asText()).isEqualTo("illegal_argument_exception");
  }

  @Test
  void slowSearchesAreWritten() throws Exception {
    ListAppender<ILoggingEvent> written = new ListAppender<>();
    written.start();
    Logger log = (Logger) LoggerFactory.getLogger("index.search.slowlog");
    log.addAppender(written);
    String search = "{\"query\":{\"term\":{\"kind\":\"k2\"}}}";
    JsonNode _ = node.ok("POST", "/books/_search", search);
    assertThat(written.list).isEmpty();
    JsonNode _ =
        node.ok(
            "PUT",
            "/books/_settings",
            """
            {"index.search.slowlog.threshold.query.warn":"0ms",
             "index.search.slowlog.threshold.fetch.warn":"0ms"}\
            """);
    JsonNode _ = node.ok("POST", "/books/_search", search);
    log.detachAppender(written);
    assertThat(written.list)
        .extracting(ILoggingEvent::getLevel)
        .containsExactly(Level.WARN, Level.WARN);
    assertThat(written.list.get(0).getFormattedMessage())
        .startsWith("slow query [shard=[books][0], took_millis=")
        .contains("total_hits=3", "\"k2\"");
    assertThat(written.list.get(1).getFormattedMessage()).startsWith("slow fetch");
    JsonNode refused =
        node.refused(
            400,
            "PUT",
            "/books/_settings",
            "{\"index.search.slowlog.threshold.query.warn\":\"soon\"}");
    assertThat(refused.at("/error/type").asText()).isEqualTo("illegal_argument_exception");
  }
}
