package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.trace.Cause;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

final class EcsEncoderTest {
  private final EcsEncoder encoder = new EcsEncoder("index-0", "");

  @Test
  void anEventIsOneLineWithItsMessageFinishedAndItsStackInOneMember() throws Exception {
    LoggingEvent event = event("could not [why={}]\nat all", new IllegalStateException("full"), 7);

    String line = new String(encoder.encode(event), StandardCharsets.UTF_8);

    assertThat(line.strip().lines()).hasSize(1);
    JsonNode json = Json.MAPPER.readTree(line);
    assertThat(json.path("message").asText()).isEqualTo("could not [why=7]\nat all");
    assertThat(json.path("log.level").asText()).isEqualTo("WARN");
    assertThat(json.path("log.logger").asText()).isEqualTo("dev.holdfast.X");
    assertThat(json.path("elasticsearch.node.name").asText()).isEqualTo("index-0");
    assertThat(json.path("error.type").asText()).isEqualTo("java.lang.IllegalStateException");
    assertThat(json.path("error.stack_trace").asText()).contains("\n\tat ");
    assertThat(json.path("@timestamp").asText()).isEqualTo("2026-11-25T11:00:00Z");
    assertThat(json.has("trace.id")).isFalse();
  }

  @Test
  void whatTheThreadWorksForIsTold() throws Exception {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    LoggingEvent event = event("slow", null);
    event.setKeyValuePairs(
        List.of(new KeyValuePair("event.duration", 5L), new KeyValuePair("trace.id", trace)));

    byte[] line =
        new Cause("report", trace, null, null)
            .<byte[], RuntimeException>during(() -> encoder.encode(event));

    JsonNode json = Json.MAPPER.readTree(line);
    assertThat(json.path("http.request.id").asText()).isEqualTo("report");
    assertThat(json.path("trace.id").asText()).isEqualTo(trace);
    assertThat(json.path("event.duration").asInt()).isEqualTo(5);
    assertThat(new String(line, StandardCharsets.UTF_8).split("trace.id", -1)).hasSize(2);
  }

  private static LoggingEvent event(String message, Throwable why, Object... values) {
    Logger logger = new LoggerContext().getLogger("dev.holdfast.X");
    LoggingEvent event = new LoggingEvent("x", logger, Level.WARN, message, why, values);
    event.setInstant(java.time.Instant.parse("2026-11-25T11:00:00Z"));
    return event;
  }
}
