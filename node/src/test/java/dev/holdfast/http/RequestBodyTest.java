package dev.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class RequestBodyTest {
  private final CircuitBreaker budget = new CircuitBreaker("request", 1 << 20);

  private ObjectNode within(Supplier<ObjectNode> reading) {
    return RequestMemory.<ObjectNode, RuntimeException>during(
        budget, "<http_request>", reading::get);
  }

  /// An index whose `_meta` held four megabytes of empty objects ended a node of 256 MB.
  @Test
  void whatBecomesPartOfTheClusterStateIsThereSeveralTimes() {
    String objects = "{\"a\":[" + "{},".repeat(5_000) + "{}]}";
    RequestBody body = RequestBody.of(objects.getBytes(StandardCharsets.UTF_8));

    assertThat(within(body::object).path("a")).hasSize(5_001);
    assertThatThrownBy(() -> within(body::kept))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("[request] Data too large");
    assertThat(within(RequestBody.of("{\"a\":1}".getBytes(StandardCharsets.UTF_8))::kept))
        .hasSize(1);
    assertThat(budget.bytes()).isZero();
  }
}
