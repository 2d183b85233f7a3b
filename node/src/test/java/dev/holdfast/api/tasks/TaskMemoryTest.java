package dev.holdfast.api.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What tasks behind their client's back hold.
final class TaskMemoryTest {
  private static final int VALUES = 20_000;

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static long held() throws Exception {
    return node.ok("GET", "/_nodes/stats/breaker", "")
        .findValue("breakers")
        .at("/request/estimated_size_in_bytes")
        .asLong();
  }

  /// Any number of them may run, each with the request that was read for it.
  @Test
  void aRequestTakesMemoryForAsLongAsItsTaskRuns() throws Exception {
    for (int i = 0; i < 3; i++) {
      node.ok("PUT", "/from/_doc/" + i + "?refresh=true", "{\"k\":\"k\"}");
    }
    String values =
        IntStream.range(0, VALUES).mapToObj(i -> "\"" + i + "\"").collect(Collectors.joining(","));
    String body =
        "{\"source\":{\"index\":\"from\",\"size\":1,\"query\":{\"bool\":{\"must_not\":"
            + "{\"terms\":{\"k.keyword\":["
            + values
            + "]}}}}},\"dest\":{\"index\":\"to\"}}";
    long before = held();

    JsonNode begun =
        node.ok("POST", "/_reindex?wait_for_completion=false&requests_per_second=0.01", body);
    String task = begun.path("task").asText();
    long meanwhile = held();
    node.ok("POST", "/_tasks/" + task + "/_cancel", "");
    node.ok("GET", "/_tasks/" + task + "?wait_for_completion=true&timeout=60s", "");

    assertThat(meanwhile - before).isGreaterThan(80L * VALUES);
    assertThat(held()).isLessThan(before + 80L * VALUES);
  }
}
