package dev.holdfast.query.inspection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.StatisticsPhase;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Queries that Lucene does not take are refused wherever they are asked.
final class BadQueryTest {
  private static final ObjectNode BODY =
      Json.parseObject("{\"id\":\"1\",\"query\":{\"match_all\":{\"boost\":\"NaN\"}}}");

  private SearchTestIndex index;

  @BeforeEach
  void fill() throws IOException {
    index = new SearchTestIndex("{}").add("1", "{}");
  }

  @AfterEach
  void close() throws IOException {
    index.close();
  }

  @Test
  void explainRefusesIt() {
    assertThatThrownBy(() -> ExplainInspection.answer(index.context(), BODY))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.QUERY_SHARD));
  }

  @Test
  void statisticsRefuseIt() {
    String body = "{\"query\":" + BODY.get("query") + "}";
    assertThatThrownBy(
            () -> StatisticsPhase.of(SearchParser.parse(Json.parseObject(body)), index.context()))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.QUERY_SHARD));
  }

  @Test
  void validateSaysWhy() throws IOException {
    ObjectNode answer = ValidateInspection.answer(index.context(), BODY);

    assertThat(answer.path("valid").asBoolean()).isFalse();
    assertThat(answer.path("error").asText()).contains("boost must be a positive float");
  }
}
