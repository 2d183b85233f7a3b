package dev.holdfast.api.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pipelines of a few hundred bytes that make documents of any size.
final class PipelineMemoryTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static void limit(String value) throws Exception {
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":" + value + "}}");
  }

  @BeforeEach
  void limited() throws Exception {
    limit("\"24mb\"");
  }

  @AfterEach
  void unlimited() throws Exception {
    limit("null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30 | {\"set\":{\"field\":\"a\",\"value\":\"{{{a}}}{{{a}}}\"}}",
        "30 | {\"set\":{\"field\":\"a\",\"value\":[\"{{{a}}}\",\"{{{a}}}\"]}}",
        "40 | {\"set\":{\"field\":\"o.x%d\",\"copy_from\":\"o\"}}",
        "40 | {\"append\":{\"field\":\"l\",\"value\":[\"{{{l}}}\",\"{{{l}}}\"]}}",
        "30 | {\"gsub\":{\"field\":\"a\",\"pattern\":\"a\",\"replacement\":\"aa\"}}",
      })
  void whatDoublesADocumentIsRefused(int times, String step) throws Exception {
    String steps =
        IntStream.range(0, times)
            .mapToObj(i -> step.replace("%d", Integer.toString(i)))
            .collect(Collectors.joining(","));
    node.ok("PUT", "/_ingest/pipeline/doubling", "{\"processors\":[" + steps + "]}");
    String document = "{\"a\":\"aaaaaaaaaaaaaaaa\",\"o\":{\"y\":1},\"l\":[\"bbbbbbbb\"]}";

    HttpResponse<String> written = node.call("PUT", "/d/_doc/1?pipeline=doubling", document);
    HttpResponse<String> simulated =
        node.call(
            "POST",
            "/_ingest/pipeline/doubling/_simulate",
            "{\"docs\":[{\"_source\":" + document + "}]}");

    assertThat(written.statusCode()).as("%.300s", written.body()).isBetween(400, 429);
    assertThat(simulated.body().length()).isLessThan(100_000);
    assertThat(simulated.body()).contains("error");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"split\":{\"field\":\"a\",\"separator\":\"\"}}",
        "{\"kv\":{\"field\":\"k\",\"field_split\":\",\",\"value_split\":\"=\"}}",
        "{\"json\":{\"field\":\"j\"}}",
        "{\"foreach\":{\"field\":\"n\",\"processor\":{\"set\":{\"field\":\"_ingest._value\","
            + "\"value\":{\"a\":1,\"b\":2,\"c\":3}}}}}",
      })
  void whatMakesManyValuesOfATextIsRefusedAlone(String step) throws Exception {
    node.call("DELETE", "/m", "");
    node.ok("PUT", "/_ingest/pipeline/many", "{\"processors\":[" + step + "]}");
    String large =
        step.startsWith("{\"split\"")
            ? "{\"a\":\"" + "a".repeat(300_000) + "\"}"
            : step.startsWith("{\"kv\"")
                ? "{\"k\":\"" + "k=v,".repeat(100_000) + "k=v\"}"
                : step.startsWith("{\"json\"")
                    ? "{\"j\":\"[" + "1,".repeat(650_000) + "1]\"}"
                    : "{\"n\":[" + "1,".repeat(100_000) + "1]}";
    String small = "{\"a\":\"aaa\",\"k\":\"k=v\",\"j\":\"[1]\",\"n\":[1]}";

    HttpResponse<String> answer =
        node.call(
            "POST",
            "/m/_bulk?pipeline=many",
            "{\"index\":{}}\n"
                + small
                + "\n{\"index\":{}}\n"
                + large
                + "\n{\"index\":{}}\n"
                + small
                + "\n");

    assertThat(answer.statusCode()).isEqualTo(200);
    JsonNode items = Json.parse(answer.body()).path("items");
    assertThat(items.findValuesAsText("status"))
        .as("%.1000s", answer.body())
        .containsExactly("201", "429", "201");
  }

  /// Each gives back what it took.
  @Test
  void manyDocumentsThatGrowALittleAreTaken() throws Exception {
    node.ok(
        "PUT",
        "/_ingest/pipeline/little",
        "{\"processors\":[{\"split\":{\"field\":\"a\",\"separator\":\",\"}},"
            + "{\"join\":{\"field\":\"a\",\"separator\":\";\"}}]}");
    String line = "{\"index\":{}}\n{\"a\":\"" + "a,".repeat(2_000) + "\"}\n";

    JsonNode answer = node.ok("POST", "/l/_bulk?pipeline=little", line.repeat(500));

    assertThat(answer.path("errors").asBoolean()).isFalse();
  }

  @Test
  void pipelinesCallOneAnotherAHundredTimesAtMost() throws Exception {
    for (int i = 0; i <= 100; i++) {
      node.ok(
          "PUT",
          "/_ingest/pipeline/p" + i,
          i == 100
              ? "{\"processors\":[{\"set\":{\"field\":\"a\",\"value\":1}}]}"
              : "{\"processors\":[{\"pipeline\":{\"name\":\"p" + (i + 1) + "\"}}]}");
    }
    assertThat(node.call("PUT", "/d/_doc/1?pipeline=p1", "{}").statusCode()).isEqualTo(201);

    HttpResponse<String> answer = node.call("PUT", "/d/_doc/2?pipeline=p0", "{}");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("Cannot have more than 100 nested pipelines");
  }
}
