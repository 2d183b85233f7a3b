package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;

final class CircuitBreakerTest {
  private static final long MIB = 1 << 20;

  @Test
  void whatDoesNotFitIsRefusedAndTakesNothing() {
    CircuitBreaker breaker = new CircuitBreaker("request", 10 * MIB);
    Reservation small = breaker.begin("<small>");
    Reservation large = breaker.begin("<large>");
    small.add(MIB);

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> large.add(20 * MIB));

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(refusal.status()).isEqualTo(429);
    assertThat(refusal.reason()).contains("[request] Data too large, data for [<large>]");
    assertThat(refusal.metadata())
        .containsEntry("bytes_limit", 10 * MIB)
        .containsEntry("durability", "PERMANENT");
    assertThat(breaker.tripped()).isEqualTo(1);
    assertThat(large.bytes()).isZero();
    large.add(8 * MIB);
    large.close();
    small.close();
    assertThat(breaker.bytes()).isZero();
  }

  @Test
  void smallPartsOfOneRequestAddUp() {
    CircuitBreaker breaker = new CircuitBreaker("request", 10 * MIB);
    Reservation reservation = breaker.begin("<many>");

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () -> {
              for (int i = 0; i < 20_000; i++) {
                reservation.add(1000);
              }
            });

    assertThat(refusal).isNotNull();
    assertThat(reservation.bytes()).isBetween(9 * MIB, 10 * MIB);
  }

  @Test
  void whatComesAfterTheEndIsNotTakenFromOthersForEver() {
    CircuitBreaker breaker = new CircuitBreaker("request", 10 * MIB);
    Reservation reservation = breaker.begin("<late>");
    reservation.add(5 * MIB);
    reservation.close();

    reservation.add(MIB);
    reservation.close();

    assertThat(breaker.bytes()).isZero();
  }
}
