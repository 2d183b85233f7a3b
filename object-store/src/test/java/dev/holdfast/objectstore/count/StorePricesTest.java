package dev.holdfast.objectstore.count;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// What a move to a cheaper class saves, and when it saves nothing.
final class StorePricesTest {
  private static final long GIGABYTE = 1_000_000_000;
  private static final double MINIMUM = 30 / StorePrices.MONTH_DAYS;

  private final StorePrices s3 = StorePrices.S3_STANDARD;
  private final StorageClass infrequent = s3.classes().find("standard_ia").orElseThrow();

  private double saved(long bytes, double months, double bytesRead) {
    return s3.saved(infrequent, bytes, months, bytesRead);
  }

  @Test
  void aGigabyteThatStaysAndIsNotReadSavesTheDifferenceLessTheMove() {
    assertThat(saved(GIGABYTE, 10, 0)).isCloseTo(10 * (0.023 - 0.0125) - 0.00001, within(1e-9));
  }

  @Test
  void whatGoesBeforeTheMinimumIsPaidForUntilThen() {
    assertThat(saved(GIGABYTE, MINIMUM, 0)).isPositive();
    assertThat(saved(GIGABYTE, 17 / StorePrices.MONTH_DAYS, 0)).isPositive();
    assertThat(saved(GIGABYTE, 16 / StorePrices.MONTH_DAYS, 0)).isNegative();
    assertThat(saved(GIGABYTE, 0, 0)).isCloseTo(-0.0125 * MINIMUM - 0.00001, within(1e-9));
  }

  @Test
  void whatIsReadWholeOnceAMonthAndMoreCostsMoreThanItSaves() {
    assertThat(saved(GIGABYTE, 3, 3.0 * GIGABYTE)).isPositive();
    assertThat(saved(GIGABYTE, 3, 3.2 * GIGABYTE)).isNegative();
  }

  @Test
  void smallObjectsDoNotPayForTheirMove() {
    assertThat(saved(100_000, 1, 0)).isNegative();
    assertThat(saved(900_000, 1, 0)).isNegative();
    assertThat(saved(1_000_000, 1, 0)).isPositive();
  }

  @Test
  void classesAreThoseOfTheProviderThatAnswerAtOnce() {
    assertThat(s3.classes().names()).containsExactly("STANDARD_IA", "GLACIER_IR");
    assertThat(StorePrices.of("gs://bucket").classes().find("Nearline").orElseThrow().name())
        .isEqualTo("NEARLINE");
    assertThat(StorePrices.of("az://container").classes().find("COOL").orElseThrow().name())
        .isEqualTo("Cool");
    assertThat(s3.classes().find("DEEP_ARCHIVE")).isEmpty();
    assertThat(s3.classes().find("")).isEmpty();
    assertThat(StorePrices.of("./data").classes().names()).isEmpty();
    assertThat(s3.classes().isUsual("")).isTrue();
    assertThat(s3.classes().isUsual("STANDARD")).isTrue();
    assertThat(s3.classes().isUsual("STANDARD_IA")).isFalse();
  }

  @Test
  void keepingIsPricedByClassAndSettingsReplaceThePricesOfTheUsualOne() {
    StorePrices own =
        StorePrices.of(
            "s3://bucket", Map.of(StorePrices.KEPT, "0.015", StorePrices.TRANSITIONS, "0.02"));
    assertThat(own.keptDollars("STANDARD", 2e9)).isCloseTo(0.03, within(1e-12));
    assertThat(own.keptDollars("STANDARD_IA", 2e9)).isCloseTo(0.025, within(1e-12));
    assertThat(own.dollarsPerThousandTransitions()).isEqualTo(0.02);
  }
}
