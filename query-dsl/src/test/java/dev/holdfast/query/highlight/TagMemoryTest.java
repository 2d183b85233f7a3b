package dev.holdfast.query.highlight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tags of half a megabyte around each of thousands of words are gigabytes, of one hit.
final class TagMemoryTest {
  private static List<Hit> hits(SearchTestIndex index, String type, int tagLength)
      throws IOException {
    String body =
        "{\"query\":{\"match\":{\"t\":\"w\"}},\"highlight\":{\"type\":\"%s\",\"phrase_limit\":9000,"
            + "\"number_of_fragments\":0,\"pre_tags\":\"%s\",\"post_tags\":\"%s\","
            + "\"fields\":{\"t\":{}}}}";
    String tag = "x".repeat(tagLength);
    return WorkMemory.<List<Hit>, IOException>during(
        Reservation.of(16 << 20), () -> index.hits(body.formatted(type, tag, tag)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"unified", "plain", "fvh"})
  void isAskedForBeforeTheyAreWritten(String type) throws IOException {
    try (SearchTestIndex index =
        new SearchTestIndex(
            "{\"t\":{\"type\":\"text\",\"term_vector\":\"with_positions_offsets\"}}")) {
      index.add("1", "{\"t\":\"" + "w ".repeat(4_000) + "\"}");

      Refusal refusal = catchThrowableOfType(Refusal.class, () -> hits(index, type, 500_000));

      assertThat(refusal).isNotNull();
      assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
      assertThat(hits(index, type, 10)).hasSize(1);
      assertThat(hits(index, type, 400)).as("12 of 16 MB").hasSize(1);
    }
  }
}
