package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.real.MovedClock;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A week of four streams of logs, as collectors send them: half a day of documents at a time, on a
/// node whose wall clock is moved on in between. It ends with the present, for nothing is deleted
/// by a clock that is ahead of the store's.
final class WeekOfLogsTest {
  private static final Duration STEP = Duration.ofHours(12);
  private static final int STEPS = 14;

  private static final int NGINX = 300;
  private static final int MYSQL = 20;
  private static final int SYSTEM = 200;
  private static final int KAFKA = 100;

  private final World real = RealWorld.create();
  private final AtomicLong aheadMillis = new AtomicLong(-STEP.multipliedBy(STEPS + 1).toMillis());
  private int logged;

  @Test
  void eachRollsOverAndGoesAsItsLifecycleSays(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder, MovedClock.calendar(aheadMillis::get))) {
      node.ok(
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"data_streams.lifecycle.poll_interval\":\"1s\","
              + "\"indices.lifecycle.poll_interval\":\"1s\"}}");
      node.ok(
          "PUT",
          "/_ingest/pipeline/lines",
          "{\"processors\":[{\"dissect\":{\"field\":\"message\",\"pattern\":\"%{log.level} %{text}\"}}]}");
      node.ok(
          "PUT",
          "/_ilm/policy/by-documents",
          "{\"policy\":{\"phases\":{\"hot\":{\"actions\":{\"rollover\":{\"max_docs\":500}}}}}}");
      // Days, weeks and hours are what rollover `auto` makes of these retentions.
      template(node, "nginx.access", "\"lifecycle\":{\"data_retention\":\"3d\"}", "");
      template(node, "mysql.slowlog", "\"lifecycle\":{\"data_retention\":\"90d\"}", "");
      template(node, "system.syslog", "", ",\"index.lifecycle.name\":\"by-documents\"");
      template(node, "kafka.log", "\"lifecycle\":{\"data_retention\":\"1d\"}", "");

      for (int step = 1; step <= STEPS; step++) {
        write(node, "nginx.access", NGINX);
        write(node, "mysql.slowlog", MYSQL);
        write(node, "system.syslog", SYSTEM);
        write(node, "kafka.log", KAFKA);
        aheadMillis.addAndGet(STEP.toMillis());
        // A new index a day; a new one a week; one for each 500 documents; one an hour.
        awaitGeneration(node, "nginx.access", 1 + step / 2);
        awaitGeneration(node, "mysql.slowlog", 1 + step / STEPS);
        awaitGeneration(node, "system.syslog", 1 + step / 3);
        awaitGeneration(node, "kafka.log", 1 + step);
      }

      // Rolled over within the retention, and the one that is written to.
      awaitIndices(node, "nginx.access", 4);
      awaitIndices(node, "mysql.slowlog", 2);
      awaitIndices(node, "system.syslog", 1 + STEPS / 3);
      awaitIndices(node, "kafka.log", 3);
      assertThat(count(node, "nginx.access")).isEqualTo(3 * 2 * NGINX);
      assertThat(count(node, "mysql.slowlog")).isEqualTo(STEPS * MYSQL);
      assertThat(count(node, "system.syslog")).isEqualTo(STEPS * SYSTEM);
      assertThat(count(node, "kafka.log")).isEqualTo(2 * KAFKA);
      assertThat(node.ok("GET", "/logs-*/_count?q=log.level:warn", "").path("count").asInt())
          .isEqualTo((3 * 2 * NGINX + STEPS * (MYSQL + SYSTEM) + 2 * KAFKA) / 2);
    }
  }

  private static void template(NodeFixture node, String dataset, String lifecycle, String settings)
      throws Exception {
    node.ok(
        "PUT",
        "/_index_template/" + dataset,
        "{\"index_patterns\":[\"logs-"
            + dataset
            + "-*\"],\"priority\":500,\"data_stream\":{},\"template\":{\"settings\":{\"index.default_pipeline\":\"lines\""
            + settings
            + "},\"mappings\":{\"properties\":{\"log\":{\"properties\":{\"level\":{\"type\":\"keyword\"}}}}}"
            + (lifecycle.isEmpty() ? "" : "," + lifecycle)
            + "}}");
  }

  private static String stream(String dataset) {
    return "logs-" + dataset + "-default";
  }

  /// Half a day of a stream, every other line a warning.
  private void write(NodeFixture node, String dataset, int lines) throws Exception {
    long now = real.clock().epochMillis() + aheadMillis.get();
    StringBuilder bulk = new StringBuilder();
    for (int line = 0; line < lines; line++) {
      Instant at = Instant.ofEpochMilli(now + STEP.toMillis() * line / lines);
      bulk.append("{\"create\":{}}\n{\"@timestamp\":\"")
          .append(at)
          .append("\",\"message\":\"")
          .append(line % 2 == 0 ? "info" : "warn")
          .append(" request ")
          .append(logged++)
          .append("\"}\n");
    }
    JsonNode answer =
        node.ok("POST", "/" + stream(dataset) + "/_bulk?refresh=true", bulk.toString());
    assertThat(answer.path("errors").asBoolean(true)).isFalse();
  }

  private JsonNode told(NodeFixture node, String dataset) throws Exception {
    return node.ok("GET", "/_data_stream/" + stream(dataset), "").at("/data_streams/0");
  }

  private void awaitGeneration(NodeFixture node, String dataset, int generation) throws Exception {
    boolean _ =
        Await.<Exception>until(
            real,
            Duration.ofSeconds(60),
            Duration.ofMillis(50),
            () -> told(node, dataset).path("generation").asInt() >= generation);
    assertThat(told(node, dataset).path("generation").asInt()).as(dataset).isEqualTo(generation);
  }

  private void awaitIndices(NodeFixture node, String dataset, int indices) throws Exception {
    boolean _ =
        Await.<Exception>until(
            real,
            Duration.ofSeconds(60),
            Duration.ofMillis(50),
            () -> told(node, dataset).path("indices").size() <= indices);
    assertThat(told(node, dataset).path("indices")).as(dataset).hasSize(indices);
  }

  private static int count(NodeFixture node, String dataset) throws Exception {
    return node.ok("GET", "/" + stream(dataset) + "/_count", "").path("count").asInt();
  }
}
