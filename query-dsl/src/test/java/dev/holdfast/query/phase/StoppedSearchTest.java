package dev.holdfast.query.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.lucene.search.IndexSearcher;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A search whose time is over ends with what it has, one that is cancelled with an error, wherever
/// it is.
final class StoppedSearchTest {
  private static final int DOCUMENTS = 3_000;

  @AutoClose private static SearchTestIndex index;

  @BeforeAll
  static void write() throws Exception {
    index =
        new SearchTestIndex(
            "{\"k\":{\"type\":\"keyword\"},\"t\":{\"type\":\"text\"},\"n\":{\"type\":\"long\"}}");
    String[] documents = new String[2 * DOCUMENTS];
    for (int i = 0; i < DOCUMENTS; i++) {
      documents[2 * i] = "d" + i;
      documents[2 * i + 1] = "{\"k\":\"k%d\",\"t\":\"a text %d\",\"n\":%d}".formatted(i, i, i);
    }
    index.add(documents);
  }

  private static BooleanSupplier after(int times) {
    AtomicInteger asked = new AtomicInteger();
    return () -> asked.incrementAndGet() > times;
  }

  private static ShardResult late(String body, int after) throws IOException {
    return new StopSignal(() -> false, after(after), () -> 0)
        .<ShardResult, IOException>during(() -> index.run(body));
  }

  private static final String LOOP =
      "int x = 0; for (int i = 0; i < 100000; i++) { x += i; } return true;";

  @Test
  void aScriptThatLoopsIsLeft() throws Exception {
    ShardResult result =
        late("{\"query\":{\"script\":{\"script\":{\"source\":\"%s\"}}}}".formatted(LOOP), 500);
    assertThat(result.isTimedOut()).isTrue();
    assertThat(result.total()).isLessThan(DOCUMENTS);
  }

  @Test
  void aScriptThatCatchesEverythingIsLeftToo() throws Exception {
    String catching =
        "int x = 0; for (int i = 0; i < 1000; i++) { try { for (int j = 0; j < 1000; j++) { x += j;"
            + " } } catch (Exception e) { x = 1; } } return true;";
    assertThatThrownBy(() ->
            new StopSignal(after(100), () -> false, () -> 0)
                .<ShardResult, IOException>during(() ->
                    index.run(
                        "{\"query\":{\"script\":{\"script\":{\"source\":\"%s\"}}}}"
                            .formatted(catching))))
        .isInstanceOf(Refusal.class);
  }

  /// Windows of documents become shorter where documents are dear: the signal is looked at before
  /// each.
  @Test
  void dearDocumentsAreScoredInShortWindows() throws Exception {
    AtomicInteger seconds = new AtomicInteger();
    StopSignal slow =
        new StopSignal(() -> false, () -> false, () -> seconds.incrementAndGet() * 1_000_000_000L);
    ShardResult result =
        slow.<ShardResult, IOException>during(() ->
            index.run(
                """
                {"size":0,"track_total_hits":true,"min_score":0,
                 "query":{"range":{"n":{"gte":1}}}}\
                """));
    assertThat(result.total()).isEqualTo(DOCUMENTS - 1);
    assertThat(seconds.get()).isGreaterThan(2 * DOCUMENTS / 100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"query_string", "simple_query_string"})
  void queriesWithMoreWordsThanAnyClausesAreRefusedAtOnce(String kind) {
    String words = "word ".repeat(1 + 4 * IndexSearcher.getMaxClauseCount());
    String body = "{\"query\":{\"%s\":{\"query\":\"%s w\"}}}".formatted(kind, words);
    assertThatThrownBy(() -> index.run(body))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("more than [");
  }

  @ParameterizedTest
  @ValueSource(strings = {"((a{1,60}){1,60}){1,60}", "(a{1,1000}){1,1000}"})
  void automataThatWouldTakeLongToBuildAreRefused(String expression) {
    String body =
        "{\"query\":{\"regexp\":{\"k\":{\"value\":\"%s\",\"max_determinized_states\":100000000}}}}"
            .formatted(expression);
    assertThatThrownBy(() -> index.run(body))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("states before it is determinized");
  }

  @Test
  void intervalsOfMoreTermsThanTheyMayHaveAreRefused() {
    String body =
        """
        {"query":{"intervals":{"t":{"wildcard":{"pattern":"*1*"}}}}}\
        """;
    assertThatThrownBy(() -> index.run(body))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("too many terms");
  }

  @Test
  void hitsThatTheTimeDoesNotSufficeForAreNotRead() throws Exception {
    List<Hit> hits =
        new StopSignal(() -> false, after(5), () -> 0)
            .<List<Hit>, IOException>during(() -> index.hits("{\"size\":20}"));
    assertThat(hits).hasSize(20);
    assertThat(hits.stream().filter(Hit::isRead)).hasSizeBetween(1, 19);
    assertThatThrownBy(() ->
            new StopSignal(after(5), () -> false, () -> 0)
                .<List<Hit>, IOException>during(() -> index.hits("{\"size\":20}")))
        .isInstanceOf(Refusal.class);
  }
}
