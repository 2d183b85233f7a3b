package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
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

  /// A request that holds all there is does not keep small ones from the little that they need.
  @Test
  void smallRequestsAreRefusedLast() {
    CircuitBreaker breaker = new CircuitBreaker("request", 16 * MIB);
    Reservation large = breaker.begin("<large>");
    large.add(16 * MIB);
    assertThat(catchThrowableOfType(Refusal.class, () -> large.add(1))).isNotNull();

    int small = 0;
    for (Refusal refused = null; refused == null; small += refused == null ? 1 : 0) {
      refused = catchThrowableOfType(Refusal.class, () -> breaker.begin("<small>").add(64 << 10));
    }

    assertThat(small).as("a sixteenth more").isEqualTo(16);
  }

  /// An answer that is held whatever the limit says had refused every small request beside it.
  @Test
  void whatOthersHoldBeyondTheLimitIsNotTakenFromSmallRequests() {
    CircuitBreaker breaker = new CircuitBreaker("request", 16 * MIB);
    breaker.begin("<large>").add(16 * MIB);
    Reservation answer = breaker.begin("<answer>");
    answer.hold(4 * MIB);

    List<Reservation> small = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 16; i++) {
        Reservation one = breaker.begin("<small>");
        one.add(64 << 10);
        small.add(one);
      }
      assertThat(catchThrowableOfType(Refusal.class, () -> breaker.begin("<small>").add(64 << 10)))
          .as("a sixteenth more, in each round")
          .isNotNull();
      small.forEach(Reservation::close);
    }
    answer.close();
    assertThat(breaker.bytes()).isEqualTo(16 * MIB);
  }

  @Test
  void noSmallRequestGrowsLargeBeyondTheLimit() {
    CircuitBreaker breaker = new CircuitBreaker("request", 16 * MIB);
    breaker.begin("<large>").add(16 * MIB);
    Reservation growing = breaker.begin("<growing>");
    growing.add(Breakers.SMALL_BYTES);

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> growing.add(1));

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(refusal.reason()).as("the limit as it is set").endsWith("[16777216/16mb]");
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
