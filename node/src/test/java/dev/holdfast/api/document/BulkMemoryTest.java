package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.http.RequestBody;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// What a body becomes is asked of the budget before it is made.
final class BulkMemoryTest {
  private final CircuitBreaker breaker = new CircuitBreaker("request", 1 << 20);

  @Test
  void manyTinyItemsAreRefusedBeforeAnyIsWritten() {
    RequestBody body = lines(10_000);

    assertThatThrownBy(() -> RequestMemory.during(breaker, "<bulk>", () -> BulkBody.parse(body)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("[request] Data too large, data for [<bulk>]")
        .extracting(refusal -> ((Refusal) refusal).type())
        .isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(breaker.bytes()).isZero();
    assertThat(breaker.tripped()).isEqualTo(1);
  }

  @Test
  void aFewItemsPass() {
    int items = RequestMemory.during(breaker, "<bulk>", () -> BulkBody.parse(lines(1_000)).size());

    assertThat(items).isEqualTo(1_000);
    assertThat(breaker.bytes()).isZero();
  }

  @Test
  void aTreeOfABodyIsAskedFor() {
    RequestBody body =
        RequestBody.of(("[" + "1,".repeat(100_000) + "1]").getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> RequestMemory.during(breaker, "<search>", body::tree))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("data for [<search>]");
    assertThat(body.tree()).hasSize(100_001); // nobody's budget
  }

  @Test
  void aSmallRequestPassesWhateverTheBudgetIs() {
    CircuitBreaker none = new CircuitBreaker("request", 1);

    assertThat(
            RequestMemory.during(
                none,
                "<settings>",
                () -> RequestBody.of("{\"limit\":null}".getBytes(StandardCharsets.UTF_8)).tree()))
        .isNotNull();
    assertThat(none.bytes()).isZero();
    assertThat(none.tripped()).isZero();
  }

  private static RequestBody lines(int items) {
    return RequestBody.of(
        "{\"index\":{}}\n{\"n\":1}\n".repeat(items).getBytes(StandardCharsets.UTF_8));
  }
}
