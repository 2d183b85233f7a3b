package dev.holdfast.document.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an analyser makes of a text before Lucene has it.
final class WordMemoryTest {
  private static final SortedMap<String, Object> GRAMS = new TreeMap<>();

  static {
    GRAMS.put("index.analysis.analyzer.a.tokenizer", "keyword");
    GRAMS.put("index.analysis.analyzer.a.filter", "g");
    GRAMS.put("index.analysis.filter.g.type", "edge_ngram");
    GRAMS.put("index.analysis.filter.g.max_gram", "20000");
  }

  /// Makes the columns of one document.
  private static void index(String type, int characters) throws IOException {
    String mapping = "{\"properties\":{\"f\":{" + type + ",\"analyzer\":\"a\"}}}";
    try (MappedTestIndex index = new MappedTestIndex(mapping, GRAMS)) {
      boolean _ =
          WorkMemory.<Boolean, IOException>during(
              Reservation.of(8 << 20),
              () -> {
                if (index.add("{\"f\":\"" + "x".repeat(characters) + "\"}")
                    instanceof Outcome.Refused(Refusal refusal)) {
                  throw refusal;
                }
                var _ = index.batch().columns();
                return true;
              });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"type\":\"text\",\"fielddata\":true", "\"type\":\"token_count\""})
  void isAskedFor(String type) throws IOException {
    index(type, 500);

    Refusal tooMuch = catchThrowableOfType(Refusal.class, () -> index(type, 12_000));

    assertThat(tooMuch).isNotNull();
    assertThat(tooMuch.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
  }
}
