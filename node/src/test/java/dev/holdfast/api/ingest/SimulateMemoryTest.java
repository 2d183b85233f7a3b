package dev.holdfast.api.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A pipeline that is tried may make a large answer of a small request.
final class SimulateMemoryTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void anAnswerThatThereIsNoMemoryForIsRefusedAsSuch() throws Exception {
    String processors = "{\"set\":{\"field\":\"a\",\"value\":1}},".repeat(199);
    String body =
        "{\"pipeline\":{\"processors\":["
            + processors
            + "{\"set\":{\"field\":\"a\",\"value\":2}}]},\"docs\":[{\"_source\":{\"text\":\""
            + "x".repeat(50_000)
            + "\"}}]}";
    limit("\"4mb\"");

    HttpResponse<String> answer =
        node.call("POST", "/_ingest/pipeline/_simulate?verbose=true", body);

    limit("null");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
    assertThat(Json.parse(answer.body()).at("/error/type").asText())
        .isEqualTo("circuit_breaking_exception");
  }

  /// Nothing of which is written: the trees are there all the same.
  @Test
  void whatADocumentIsAfterEachStepAsksForMemory() throws Exception {
    String fields =
        IntStream.range(0, 5_000)
            .mapToObj(i -> "\"f" + i + "\":1")
            .collect(Collectors.joining(","));
    String steps = "{\"set\":{\"field\":\"a\",\"value\":1}},".repeat(199);
    String body =
        "{\"pipeline\":{\"processors\":[%s{\"set\":{\"field\":\"a\",\"value\":2}}]},"
                .formatted(steps)
            + "\"docs\":[{\"_source\":{%s}}]}".formatted(fields);
    limit("\"8mb\"");

    HttpResponse<String> verbose =
        node.call("POST", "/_ingest/pipeline/_simulate?verbose=true&filter_path=nothing", body);
    HttpResponse<String> once =
        node.call("POST", "/_ingest/pipeline/_simulate?filter_path=nothing", body);

    limit("null");
    assertThat(verbose.statusCode()).as("%.300s", verbose.body()).isEqualTo(429);
    assertThat(once.statusCode()).as("%.300s", once.body()).isEqualTo(200);
  }

  private static void limit(String value) throws Exception {
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":" + value + "}}");
  }
}
