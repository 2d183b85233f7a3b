package dev.holdfast.world.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class JsonTreeTest {
  private static final byte[] SMALL = bytes("[1]");
  private static final byte[] LARGE = bytes("[" + "{},".repeat(50_000) + "{}]");
  private static final byte[] BROKEN = bytes("[" + "{},".repeat(50_000));

  private final CircuitBreaker breaker = new CircuitBreaker("request", 16 << 20);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void during(Runnable work) {
    try (Reservation memory = breaker.begin("<work>")) {
      boolean _ =
          WorkMemory.<Boolean, RuntimeException>during(
              memory,
              () -> {
                work.run();
                return true;
              });
    }
    assertThat(breaker.bytes()).isZero();
  }

  @Test
  void aLargeOneIsHeldUntilItIsClosed() {
    during(() -> {
      for (int i = 0; i < 10; i++) {
        try (JsonTree tree = JsonTree.of(LARGE)) {
          assertThat(tree.root()).hasSize(50_001);
          assertThat(breaker.bytes()).isGreaterThan(80L * 50_000);
        }
        assertThat(breaker.bytes()).isZero();
      }
    });
  }

  @Test
  void whatDoesNotFitIsNotMade() {
    during(() -> {
      Refusal refusal =
          catchThrowableOfType(Refusal.class, () -> JsonTree.of(LARGE, 0, LARGE.length, 4).close());
      assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
      assertThat(breaker.bytes()).isZero();
    });
  }

  @Test
  void whatIsMalformedHoldsNothing() {
    during(() -> {
      Refusal refusal = catchThrowableOfType(Refusal.class, () -> JsonTree.of(BROKEN).close());
      assertThat(refusal.type()).isEqualTo(ErrorType.X_CONTENT_PARSE);
      assertThat(breaker.bytes()).isZero();
    });
  }

  @Test
  void smallOnesAndThoseOfNobodysWorkAskForNothing() {
    during(() -> {
      try (JsonTree tree = JsonTree.of(SMALL)) {
        assertThat(tree.root().path(0).asInt()).isEqualTo(1);
        assertThat(breaker.bytes()).isZero();
      }
    });
    try (JsonTree tree = JsonTree.of(LARGE)) {
      assertThat(tree.root()).hasSize(50_001);
    }
  }
}
