package dev.holdfast.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.query.fetch.FetchPhase;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.QueryPhase;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Documents that were taken in by their bytes, and become trees of thirty times as many when
/// somebody looks into them.
final class SourceTreesTest {
  private static final int OBJECTS = 50_000;

  /// More than the bytes of the document, less than its tree.
  private static final long LITTLE = 2 << 20;

  /// Enough for a tree and for a copy of it, not for two trees and two copies.
  private static final long ENOUGH = 16 << 20;

  @AutoClose private static SearchTestIndex index;

  private static String list(int count) {
    return "[" + "{},".repeat(count - 1) + "{}]";
  }

  @BeforeAll
  static void write() throws Exception {
    index =
        new SearchTestIndex(
            "{\"k\":{\"type\":\"keyword\"},\"t\":{\"type\":\"text\"},"
                + "\"q\":{\"type\":\"percolator\"},"
                + "\"v\":{\"type\":\"dense_vector\",\"dims\":512},"
                + "\"o\":{\"type\":\"object\",\"enabled\":false}}");
    String vector = "0.5,".repeat(511) + "0.5";
    index.add("0", "{\"v\":[" + vector + "]}");
    index.add("1", "{\"k\":\"a\",\"t\":\"some words\",\"o\":" + list(OBJECTS) + "}");
  }

  private static long fetched(String body, int times, long bytesMax) throws IOException {
    SearchSource source = SearchParser.parse(Json.parseObject(body));
    ShardResult found = QueryPhase.run(source, index.context(), () -> false);
    List<ShardHit> hits = Collections.nCopies(times, found.hits().getFirst());
    Reservation memory = Reservation.of(bytesMax);
    return WorkMemory.<Long, IOException>during(
        memory,
        () -> (long) FetchPhase.run(source, index.context().reserving(memory), hits).size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"_source\":false,\"fields\":[\"k\"],\"query\":{\"term\":{\"k\":\"a\"}}}",
        "{\"_source\":false,\"highlight\":{\"fields\":{\"t\":{}}},"
            + "\"query\":{\"match\":{\"t\":\"words\"}}}",
        "{\"_source\":false,\"query\":{\"term\":{\"k\":\"a\"}},\"script_fields\":"
            + "{\"a\":{\"script\":{\"source\":\"params._source.size()\"}}}}",
      })
  void theTreeOfAHitIsAskedForAndGivenBack(String body) throws Exception {
    Refusal refusal =
        catchThrowableOfType(Refusal.class, () -> assertThat(fetched(body, 1, LITTLE)).isZero());

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(fetched(body, 5, ENOUGH)).isEqualTo(5);
  }

  /// A vector is one value of a hit, and hundreds of numbers.
  @Test
  void valuesOfHitsCountWithWhatTheyHold() throws Exception {
    String body =
        "{\"_source\":false,\"docvalue_fields\":[\"v\"],\"query\":{\"exists\":{\"field\":\"v\"}}}";

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> assertThat(fetched(body, 50, 512 << 10)).isZero());

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(fetched(body, 50, ENOUGH)).isEqualTo(50);
  }

  private static ShardResult significant(long bytesMax) throws IOException {
    String body =
        "{\"size\":0,\"query\":{\"match\":{\"t\":\"words\"}},"
            + "\"aggs\":{\"a\":{\"significant_text\":{\"field\":\"t\",\"min_doc_count\":1}}}}";
    Reservation memory = Reservation.of(bytesMax);
    return WorkMemory.<ShardResult, IOException>during(
        memory,
        () ->
            QueryPhase.run(
                SearchParser.parse(Json.parseObject(body)),
                index.context().reserving(memory),
                () -> false));
  }

  @Test
  void theTreesOfDocumentsWithSignificantTextsAreAskedFor() throws Exception {
    Refusal refusal =
        catchThrowableOfType(Refusal.class, () -> assertThat(significant(LITTLE).total()).isZero());

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(significant(ENOUGH).total()).isEqualTo(1);
  }

  private static void parsed(String query, long bytesMax) {
    boolean _ =
        WorkMemory.<Boolean, RuntimeException>during(
            Reservation.of(bytesMax), () -> Queries.parse(Json.parseObject(query)) != null);
  }

  @Test
  void aQueryInBase64AsksForItsTree() {
    String inner = "{\"terms\":{\"k\":" + list(OBJECTS) + "}}";
    String coded = Base64.getEncoder().encodeToString(inner.getBytes(StandardCharsets.UTF_8));
    String query = "{\"wrapper\":{\"query\":\"" + coded + "\"}}";

    Refusal little = catchThrowableOfType(Refusal.class, () -> parsed(query, LITTLE));
    Refusal enough = catchThrowableOfType(Refusal.class, () -> parsed(query, ENOUGH));

    assertThat(little.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(enough == null || enough.type() != ErrorType.CIRCUIT_BREAKING).isTrue();
  }

  @Test
  void percolatedDocumentsAskForTheIndexThatTheyBecome() throws Exception {
    String body =
        "{\"query\":{\"percolate\":{\"field\":\"q\",\"documents\":["
            + "{\"t\":\"a\"},".repeat(499)
            + "{\"t\":\"a\"}]}}}";

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> assertThat(index.run(body, 256 << 10).total()).isZero());

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(index.run(body, ENOUGH).total()).isZero();
  }
}
