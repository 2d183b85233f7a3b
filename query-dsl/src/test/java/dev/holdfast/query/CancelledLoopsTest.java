package dev.holdfast.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.inspection.ShardInspection;
import dev.holdfast.query.inspection.ShardInspections;
import dev.holdfast.query.inspection.TermsEnumInspection;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Loops over the words of one document, or the terms of a field, which a search that nobody wants
/// any more ends.
final class CancelledLoopsTest {
  private static final int WORDS = 20_000;
  private static final int DOCUMENTS = 3_000;

  /// A loop that looks now and then asks some hundred times; the others of a search a few times.
  private static final int QUESTIONS = 100;

  @AutoClose private static SearchTestIndex index;

  @BeforeAll
  static void write() throws Exception {
    index = new SearchTestIndex("{\"t\":{\"type\":\"text\"},\"k\":{\"type\":\"keyword\"}}");
    String words =
        IntStream.range(0, WORDS).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
    index.add("1", "{\"t\":\"" + words + "\",\"k\":[\"" + words.replace(" ", "\",\"") + "\"]}");
  }

  /// Work that is cancelled once it has asked so often whether it is.
  private static Refusal cancelled(ScopedValue.CallableOp<Object, IOException> work) {
    AtomicInteger asked = new AtomicInteger();
    StopSignal signal =
        new StopSignal(() -> asked.incrementAndGet() > QUESTIONS, () -> false, () -> 0);
    return catchThrowableOfType(
        Refusal.class,
        () -> assertThat(signal.<Object, IOException>during(work)).as("ended").isNull());
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "unified"})
  void aHighlighterEndsWithinAText(String type) {
    String body =
        "{\"query\":{\"match\":{\"t\":\"w19999\"}},"
            + "\"highlight\":{\"type\":\"%s\",\"fields\":{\"t\":{}}}}";

    Refusal refusal = cancelled(() -> index.hits(body.formatted(type)));

    assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
  }

  private static String significant(boolean dropsDuplicates) {
    return "{\"size\":0,\"query\":{\"match\":{\"t\":\"w1\"}},\"aggs\":{\"a\":{\"significant_text\":"
        + "{\"field\":\"t\",\"filter_duplicate_text\":"
        + dropsDuplicates
        + "}}}}";
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void significantWordsEndWithinAText(boolean dropsDuplicates) {
    Refusal refusal = cancelled(() -> index.run(significant(dropsDuplicates)));

    assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void significantWordsAskForMemory(boolean dropsDuplicates) {
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () ->
                WorkMemory.<Object, IOException>during(
                    Reservation.of(256 << 10), () -> index.run(significant(dropsDuplicates))));

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
  }

  @Test
  void patternsOfFieldsAreComparedAsLongAsAnybodyWaits() {
    String patterns =
        IntStream.range(0, 1_000).mapToObj(i -> "\"" + i + "*\"").collect(Collectors.joining(","));

    Refusal refusal = cancelled(() -> index.hits("{\"fields\":[" + patterns + "]}"));

    assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
  }

  @Test
  void termsAreLookedThroughAsLongAsAnybodyWaits() {
    ShardInspection terms =
        Objects.requireNonNull(ShardInspections.ALL.get(TermsEnumInspection.NAME));
    ObjectNode body =
        Json.parseObject("{\"field\":\"k\",\"string\":\"none\",\"case_insensitive\":true}");

    Refusal refusal = cancelled(() -> terms.answer(index.context(), body));

    assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
  }

  /// Each level makes many pairs of each document, whatever there is to tell of them at the end.
  @Test
  void aggregationsInAggregationsEnd() throws Exception {
    String[] documents = new String[2 * DOCUMENTS];
    for (int i = 0; i < DOCUMENTS; i++) {
      documents[2 * i] = "d" + i;
      documents[2 * i + 1] = "{\"k\":\"a\"}";
    }
    String filters =
        IntStream.range(0, 20).mapToObj(_ -> "{\"match_all\":{}}").collect(Collectors.joining(","));
    String level = "\"a\":{\"filters\":{\"filters\":[" + filters + "]}";
    String body = "{\"size\":0,\"aggs\":{" + level + ",\"aggs\":{" + level + "}}}}}";
    try (SearchTestIndex many = new SearchTestIndex("{\"k\":{\"type\":\"keyword\"}}")) {
      many.add(documents);

      Refusal refusal = cancelled(() -> many.run(body, 1 << 30));

      assertThat(refusal).isNotNull();
      assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
    }
  }
}
