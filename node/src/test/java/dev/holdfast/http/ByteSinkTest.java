package dev.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Refusal;
import org.junit.jupiter.api.Test;

/// An answer asks the budget of its request as it grows.
final class ByteSinkTest {
  @Test
  void growsAsFarAsTheBudgetReaches() {
    CircuitBreaker breaker = new CircuitBreaker("request", 1 << 20);
    ByteSink sink = new ByteSink();

    assertThatThrownBy(() ->
            RequestMemory.<Void, RuntimeException>during(
                breaker,
                "<answer>",
                () -> {
                  for (int i = 0; i < 1 << 20; i++) {
                    sink.write('x');
                  }
                  return null;
                }))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("data for [<answer>]");
    assertThat(sink.length()).isBetween(256 << 10, 1 << 20);
    assertThat(breaker.bytes()).isZero();
  }

  @Test
  void isNotRefusedOnceItsRequestHasWritten() {
    CircuitBreaker breaker = new CircuitBreaker("request", 1 << 20);

    int length =
        RequestMemory.<Integer, RuntimeException>during(
            breaker,
            "<answer>",
            () -> {
              ByteSink sink = new ByteSink();
              RequestMemory.settle();
              sink.write(new byte[2 << 20], 0, 2 << 20);
              assertThat(breaker.bytes()).as("others are refused").isBetween(1L << 20, 4L << 20);
              return sink.length();
            });

    assertThat(length).isEqualTo(2 << 20);
    assertThat(breaker.bytes()).isZero();
  }
}
