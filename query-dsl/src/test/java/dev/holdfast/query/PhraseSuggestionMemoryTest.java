package dev.holdfast.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Phrases whose words are joined with what may be as long as a body.
final class PhraseSuggestionMemoryTest {
  @AutoClose private static SearchTestIndex index;

  @BeforeAll
  static void write() throws IOException {
    index = new SearchTestIndex("{\"t\":{\"type\":\"text\"}}");
    index.add("1", "{\"t\":\"a b c d e f g h\"}");
  }

  private static int options(String more) throws IOException {
    String body =
        "{\"size\":0,\"suggest\":{\"s\":{\"text\":\"a b c d e f g h\","
            + "\"phrase\":{\"field\":\"t\",\"confidence\":0,\"max_errors\":1,"
            + more
            + "}}}}";
    return WorkMemory.<Integer, IOException>during(
        Reservation.of(16 << 20),
        () -> index.run(body).suggestions().values().iterator().next().getFirst().options().size());
  }

  private static void assertRefused(String more) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> options(more));

    assertThat(refusal).isNotNull();
    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
  }

  @Test
  void separatorsAreCounted() throws IOException {
    assertRefused("\"separator\":\"" + " ".repeat(1_000_000) + "\"");
    assertThat(options("\"separator\":\" \"")).isPositive();
  }

  @Test
  void tagsAreCounted() throws IOException {
    String tags = "\"highlight\":{\"pre_tag\":\"%s\",\"post_tag\":\"\"}";

    assertRefused(tags.formatted("x".repeat(1_000_000)));
    assertThat(options(tags.formatted("<"))).isPositive();
  }

  @Test
  void parametersOfQueriesAreCountedInEachPlace() throws IOException {
    String collate =
        "\"collate\":{\"query\":{\"source\":\"{\\\"terms\\\":{\\\"t\\\":[%s\\\"a\\\"]}}\"},"
            + "\"params\":{\"p\":\"%s\"}}";
    String place = "\\\"{{p}}\\\",";

    assertRefused(collate.formatted(place.repeat(4_000), "x".repeat(500_000)));
    assertThat(options(collate.formatted(place, "x"))).isPositive();
  }
}
