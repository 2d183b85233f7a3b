package dev.holdfast.query.aggregation.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import org.junit.jupiter.api.Test;

final class BucketCountsTest {
  @Test
  void sumsAreOfTheirBuckets() {
    BucketCounts counts = new BucketCounts(Reservation.of(1 << 20));

    counts.add(0, 1);
    counts.add(1000, 2);
    counts.add(1000, 3);

    assertThat(counts.of(0)).isEqualTo(1);
    assertThat(counts.of(999)).isZero();
    assertThat(counts.of(1000)).isEqualTo(5);
    assertThat(counts.of(1_000_000)).isZero();
  }

  @Test
  void bucketsThatThereIsNoMemoryForAreRefused() {
    BucketCounts counts = new BucketCounts(Reservation.of(1 << 20));

    counts.add(100_000, 1);
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> counts.add(200_000, 1));

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(counts.of(100_000)).isEqualTo(1);
  }
}
