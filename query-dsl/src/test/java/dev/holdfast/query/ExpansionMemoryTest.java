package dev.holdfast.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The terms that a query stands for are asked for when they are found, before anybody counts
/// clauses: those of thousands of fuzzy words ended a node.
final class ExpansionMemoryTest {
  private static final int DOCUMENTS = 900;
  private static final long LITTLE = 64 << 10;
  private static final long MUCH = 1L << 30;

  @AutoClose private static SearchTestIndex index;

  @BeforeAll
  static void write() throws Exception {
    index = new SearchTestIndex("{\"k\":{\"type\":\"keyword\"},\"t\":{\"type\":\"text\"}}");
    String[] documents = new String[2 * DOCUMENTS];
    for (int i = 0; i < DOCUMENTS; i++) {
      documents[2 * i] = "d" + i;
      documents[2 * i + 1] = "{\"k\":\"key%03d\",\"t\":\"number of%03d\"}".formatted(i, i);
    }
    index.add(documents);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"fuzzy\":{\"k\":{\"value\":\"key999\",\"fuzziness\":2,\"max_expansions\":1000}}}",
        "{\"match\":{\"t\":{\"query\":\"of999\",\"fuzziness\":2,\"max_expansions\":1000}}}",
        "{\"query_string\":{\"query\":\"t:of999~2\",\"fuzzy_max_expansions\":1000}}",
        "{\"prefix\":{\"k\":{\"value\":\"key\",\"rewrite\":\"scoring_boolean\"}}}",
        "{\"wildcard\":{\"k\":{\"value\":\"*ey*\",\"rewrite\":\"constant_score_boolean\"}}}",
        "{\"prefix\":{\"k\":{\"value\":\"key\",\"rewrite\":\"top_terms_1000\"}}}",
        "{\"match_phrase_prefix\":{\"t\":{\"query\":\"number o\",\"max_expansions\":1000}}}"
      })
  void theTermsThatAQueryStandsForAreAskedFor(String query) throws Exception {
    String search = "{\"query\":" + query + "}";

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> run(search, LITTLE));

    assertThat(refusal).as("with little memory").isNotNull();
    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(run(search, MUCH).hits()).isNotEmpty();
  }

  private static ShardResult run(String search, long bytesMax) throws Exception {
    return WorkMemory.<ShardResult, Exception>during(
        Reservation.of(bytesMax), () -> index.run(search, MUCH));
  }
}
