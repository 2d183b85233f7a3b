package dev.holdfast.api.slm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CronExpressionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 30 1 * * ?          | 2026-11-24T01:29:59Z | 2026-11-24T01:30:00Z",
        "0 30 1 * * ?          | 2026-11-24T01:30:00Z | 2026-11-25T01:30:00Z",
        "0 30 1 * * ?          | 2026-12-31T23:00:00Z | 2027-01-01T01:30:00Z",
        "0 0/15 * * * ?        | 2026-11-24T10:45:01Z | 2026-11-24T11:00:00Z",
        "0 5/20 8-10 * * ?     | 2026-11-24T10:45:00Z | 2026-11-25T08:05:00Z",
        "*/7 * * * * ?         | 2026-11-24T10:59:56.999Z | 2026-11-24T11:00:00Z",
        "0 0 22-2 * * ?        | 2026-11-24T02:00:00Z | 2026-11-24T22:00:00Z",
        "0 0 9 ? * MON-FRI     | 2026-11-27T09:00:00Z | 2026-11-30T09:00:00Z",
        "0 0 9 ? * 1           | 2026-11-24T00:00:00Z | 2026-11-29T09:00:00Z",
        "0 0 9 ? * FRI-MON     | 2026-11-24T00:00:00Z | 2026-11-27T09:00:00Z",
        "0 0 0 L * ?           | 2027-02-01T00:00:00Z | 2027-02-28T00:00:00Z",
        "0 0 0 L-2 * ?         | 2027-02-01T00:00:00Z | 2027-02-26T00:00:00Z",
        "0 0 0 15W * ?         | 2026-11-01T00:00:00Z | 2026-11-16T00:00:00Z",
        "0 0 0 1W * ?          | 2026-08-01T00:00:00Z | 2026-08-03T00:00:00Z",
        "0 0 0 LW * ?          | 2027-01-01T00:00:00Z | 2027-01-29T00:00:00Z",
        "0 0 0 ? * 6L          | 2026-11-01T00:00:00Z | 2026-11-27T00:00:00Z",
        "0 0 0 ? * FRI#2       | 2026-11-24T00:00:00Z | 2026-12-11T00:00:00Z",
        "0 0 0 ? * L           | 2026-11-24T00:00:00Z | 2026-11-28T00:00:00Z",
        "0 0 0 29 feb ?        | 2026-11-24T00:00:00Z | 2028-02-29T00:00:00Z",
        "0 0 0 1 1 ? 2030,2032 | 2030-06-01T00:00:00Z | 2032-01-01T00:00:00Z",
      })
  void nextTimes(String cron, Instant after, Instant next) {
    assertThat(Instant.ofEpochMilli(CronExpression.parse(cron).nextAfter(after.toEpochMilli())))
        .isEqualTo(next);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 0 0 30 2 ?", "0 0 0 1 1 ? 2020", "0 0 0 31 4,6 ?"})
  void whatNeverComes(String cron) {
    long now = Instant.parse("2026-11-24T00:00:00Z").toEpochMilli();
    assertThat(CronExpression.parse(cron).nextAfter(now)).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "* * * * *",
        "0 0 0 * * *",
        "0 0 0 ? * ?",
        "60 0 0 * * ?",
        "0 0 24 * * ?",
        "0 0 0 0 * ?",
        "0 0 0 32 * ?",
        "0 0 0 * 13 ?",
        "0 0 0 * XYZ ?",
        "0 0 0 ? * 8",
        "0 0 0 ? * FRI#6",
        "0 0/0 0 * * ?",
        "0 0/70 0 * * ?",
        "0 1- 0 * * ?",
        "0 , 0 * * ?",
        "0 99999999999 0 * * ?",
        "? 0 0 * * ?",
        "0 0 0 * * ? 1900",
        "0 0 0 * * ? * *",
      })
  void whatIsNone(String cron) {
    assertThatThrownBy(() -> CronExpression.parse(cron))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
