package dev.holdfast.document.field;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.FieldType.Range;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The last instant that a `date_nanos` holds, and those before it.
final class LastNanosecondTest {
  private static final String LAST = "2262-04-11T23:47:16.854775807Z";

  private static @Nullable JsonNode json(@Nullable String text) {
    return text == null ? null : Json.parse("\"" + text + "\"");
  }

  private static MappedTestIndex filled() throws IOException {
    return new MappedTestIndex("{\"properties\":{\"f\":{\"type\":\"date_nanos\"}}}")
        .with("{\"f\":\"" + LAST + "\"}", "{\"f\":\"2262-04-11T23:47:16.854775806Z\"}")
        .with("{\"f\":9223372036854}", "{\"f\":\"2262-04-11T23:47:16Z\"}", "{\"f\":0}");
  }

  @Test
  void itIsTakenAndShown() throws IOException {
    try (MappedTestIndex index = filled()) {
      FieldType type = index.type("f");
      assertThat(index.term("f", "\"" + LAST + "\"")).containsExactly(0);
      assertThat(type.format(null, null).toText(Long.MAX_VALUE)).isEqualTo(LAST);
      for (String beyond :
          List.of("2262-04-11T23:47:16.854775808Z", "2262-04-11T23:47:17Z", "2263-01-01")) {
        assertThat(index.add("{\"f\":\"" + beyond + "\"}"))
            .as(beyond)
            .isInstanceOf(Outcome.Refused.class);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "gte, 2262-04-11T23:47:16.854775807Z, 0",
    "gt, 2262-04-11T23:47:16.854775807Z, ''",
    "gt, 2262-04-11T23:47:16.854775806Z, 0",
    "lte, 2262-04-11T23:47:16.854775807Z, 0 1 2 3 4",
    "lt, 2262-04-11T23:47:16.854775807Z, 1 2 3 4",
    "lt, 2262-04-11T23:47:16.854775806Z, 2 3 4",
    "lte, 2262-04-11, 0 1 2 3 4",
    "gt, 2262-04-11, ''",
    "lt, 2262-04-11, 4",
    "lte, 3000, 0 1 2 3 4",
    "gt, 3000, ''",
    "lt, 1950, ''",
  })
  void rangesReachIt(String end, String instant, String found) throws IOException {
    try (MappedTestIndex index = filled()) {
      boolean isFrom = end.startsWith("g");
      boolean isInclusive = end.endsWith("e");
      Range range =
          new Range(
              json(isFrom ? instant : null),
              isInclusive,
              json(isFrom ? null : instant),
              isInclusive,
              null,
              null);
      List<Integer> ids = index.find(index.type("f").rangeQuery("f", range, 0));
      assertThat(String.join(" ", ids.stream().map(String::valueOf).toList())).isEqualTo(found);
    }
  }

  @Test
  void nothingIsAfterTheLastMillisecondOfADate() throws IOException {
    try (MappedTestIndex index =
        new MappedTestIndex("{\"properties\":{\"f\":{\"type\":\"date\"}}}").with("{\"f\":0}")) {
      Range after =
          new Range(Json.parse(Long.toString(Long.MAX_VALUE)), false, null, true, null, null);
      assertThat(index.find(index.type("f").rangeQuery("f", after, 0))).isEmpty();
    }
  }

  @Test
  void instantsBeyondAreReadToTheMillisecond() {
    DateFormat format = DateFormat.DEFAULT_NANOS;
    assertThat(format.parseInstant("2262-04-11T23:47:15.123456789Z", ZoneOffset.UTC))
        .isEqualTo(Instant.parse("2262-04-11T23:47:15.123456789Z"));
    assertThat(format.parseInstant("2262-04-11T23:47:16.854999999Z", ZoneOffset.UTC))
        .isEqualTo(Instant.parse("2262-04-11T23:47:16.854Z"));
  }
}
