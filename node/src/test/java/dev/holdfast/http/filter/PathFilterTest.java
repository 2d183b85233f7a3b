package dev.holdfast.http.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PathFilterTest {
  private static final String DOCUMENT =
      "{\"a\":{\"b\":{\"c\":1,\"d\":2},\"e.f\":3},\"b\":[{\"c\":4},{\"d\":5}],\"g\":6}";

  private static String filtered(PathFilter filter, String document) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = new FilteringGenerator(Json.MAPPER.createGenerator(bytes), filter)) {
      out.writeRawValue(document);
    }
    return bytes.toString(UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          a.b.c       ~ {"a":{"b":{"c":1}}}
          a.*.c       ~ {"a":{"b":{"c":1}}}
          **.c        ~ {"a":{"b":{"c":1}},"b":[{"c":4}]}
          **.**.c     ~ {"a":{"b":{"c":1}},"b":[{"c":4}]}
          a.**        ~ {"a":{"b":{"c":1,"d":2},"e.f":3}}
          a.**.d      ~ {"a":{"b":{"d":2}}}
          **.b.**.d   ~ {"a":{"b":{"d":2}},"b":[{"d":5}]}
          a.e\\.f      ~ {"a":{"e.f":3}}
          **.b,g      ~ {"a":{"b":{"c":1,"d":2}},"b":[{"c":4},{"d":5}],"g":6}
          """)
  void whatMatchesIsLetThrough(String paths, String expected) throws Exception {
    assertThat(filtered(PathFilter.including(List.of(paths.split(","))), DOCUMENT))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          **.c   ~ {"a":{"b":{"d":2},"e.f":3},"b":[{"d":5}],"g":6}
          a.**   ~ {"b":[{"c":4},{"d":5}],"g":6}
          *.b,b  ~ {"a":{"e.f":3},"g":6}
          """)
  void whatIsExcludedIsLeftOut(String paths, String expected) throws Exception {
    assertThat(filtered(PathFilter.excluding(List.of(paths.split(","))), DOCUMENT))
        .isEqualTo(expected);
  }

  @Test
  void manyWaysToMatchCostNoMoreThanTheirNames() {
    String deep = "{\"a\":".repeat(200) + "1" + "}".repeat(200);
    List<String> paths =
        List.of("**.".repeat(500) + "x", "**.a.".repeat(300) + "x", "**.*.".repeat(300) + "x");

    String shown =
        Assertions.assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> filtered(PathFilter.including(paths), deep));

    assertThat(shown).isEmpty();
  }

  @Test
  void aLargeAnswerIsFilteredAsLongAsItsClientIsThere() {
    PathFilter filter = PathFilter.including(List.of("a*b*c", "**.d*e"));
    StopSignal left = new StopSignal(() -> true, () -> false, () -> 0);

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () ->
                left.<Object, RuntimeException>during(() -> {
                  for (int i = 0; i < 1_000; i++) {
                    var _ = filter.includeProperty("n" + i);
                  }
                  return "all";
                }));

    assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
  }
}
