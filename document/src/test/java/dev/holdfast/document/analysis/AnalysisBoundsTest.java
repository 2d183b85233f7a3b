package dev.holdfast.document.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Parts of analysers that have room for all that they may ever need, before they read anything.
final class AnalysisBoundsTest {
  private static final String MANY_STATES = "(((a{99}){99}){99}){99}";

  /// An analyser with one part of a kind, which has these settings: `name=value;name=value`.
  private static Analyzer analyzer(String part, String type, String values) {
    SortedMap<String, Object> settings = new TreeMap<>();
    settings.put("index.analysis." + part + ".p.type", type);
    for (String value : values.split(";")) {
      String[] named = value.split("=", 2);
      settings.put("index.analysis." + part + ".p." + named[0], named[1]);
    }
    settings.put("index.analysis.analyzer.a.tokenizer", part.equals("filter") ? "standard" : "p");
    if (part.equals("filter")) {
      settings.put("index.analysis.analyzer.a.filter", "p");
    }
    return Objects.requireNonNull(Analysis.of(settings).analyzer("a"));
  }

  private static int tokens(Analyzer analyzer, String text) throws IOException {
    try (TokenStream stream = analyzer.tokenStream("f", text)) {
      stream.reset();
      int count = 0;
      while (stream.incrementToken()) {
        count++;
      }
      stream.end();
      return count;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "tokenizer, edge_ngram, max_gram=100000000, [max_gram]",
    "tokenizer, ngram, min_gram=99999999;max_gram=100000000, [max_gram]",
    "tokenizer, simple_pattern, pattern=" + MANY_STATES + ", states before",
    "tokenizer, simple_pattern_split, pattern=" + MANY_STATES + ", states before",
    "filter, min_hash, hash_count=2000000000, [hash_count] times",
    "filter, min_hash, bucket_count=100000;hash_count=100000, [hash_count] times",
    "filter, min_hash, hash_count=0, hashCount must be greater than zero",
    "filter, fingerprint, separator=, single",
    "filter, dictionary_decompounder, word_list=a;max_subword_size=101, [max_subword_size]",
  })
  void haveBounds(String part, String type, String values, String reason) {
    assertThatThrownBy(() -> tokens(analyzer(part, type, values), "a"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(reason);
  }

  /// What Lucene says of numbers is the client's fault, not the machine's.
  @ParameterizedTest
  @CsvSource({
    "tokenizer, ngram, min_gram=0;max_gram=1, minGram must be greater than zero",
    "tokenizer, standard, max_token_length=0, must be greater than zero",
    "tokenizer, keyword, buffer_size=0, must be greater than 0",
    "filter, limit, max_token_count=0, must be greater than zero",
    "filter, snowball, language=, Invalid stemmer class",
  })
  void refuseNumbersThatMeanNothing(String part, String type, String values, String reason) {
    assertThatThrownBy(() -> tokens(analyzer(part, type, values), "a"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(reason);
  }

  /// One letter may become thousands.
  @Test
  void whatCharacterFiltersMakeIsAskedFor() throws IOException {
    SortedMap<String, Object> settings = new TreeMap<>();
    settings.put("index.analysis.char_filter.m.type", "mapping");
    settings.put("index.analysis.char_filter.m.mappings", List.of("a => " + "x".repeat(10_000)));
    settings.put("index.analysis.analyzer.a.tokenizer", "keyword");
    settings.put("index.analysis.analyzer.a.char_filter", "m");
    Analyzer analyzer = Objects.requireNonNull(Analysis.of(settings).analyzer("a"));

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () ->
                WorkMemory.<Integer, IOException>during(
                    Reservation.of(16 << 20), () -> tokens(analyzer, "a".repeat(2_000))));

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(tokens(analyzer, "bab")).isEqualTo(1);
  }

  /// They note where each letter came from that they add, and let go of it with the text.
  @Test
  void itIsGivenBackWithTheText() throws IOException {
    SortedMap<String, Object> settings = new TreeMap<>();
    settings.put("index.analysis.char_filter.m.type", "mapping");
    settings.put("index.analysis.char_filter.m.mappings", List.of("a => " + "x".repeat(1_000)));
    settings.put("index.analysis.analyzer.a.tokenizer", "keyword");
    settings.put("index.analysis.analyzer.a.char_filter", "m");
    Analyzer analyzer = Objects.requireNonNull(Analysis.of(settings).analyzer("a"));
    String text = "a".repeat(5_000);

    int words =
        WorkMemory.<Integer, IOException>during(
            Reservation.of(96 << 20),
            () -> {
              int all = 0;
              for (int i = 0; i < 20; i++) {
                all += tokens(analyzer, text);
              }
              return all;
            });
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () ->
                WorkMemory.<Integer, IOException>during(
                    // all arrays with nothing to spare, but not those that they grow into
                    Reservation.of(60 << 20), () -> tokens(analyzer, text)));

    assertThat(words).isEqualTo(20);
    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
  }

  @Test
  void soIsTheStandardAnalyzer() {
    SortedMap<String, Object> settings = new TreeMap<>();
    settings.put("index.analysis.analyzer.a.type", "standard");
    settings.put("index.analysis.analyzer.a.max_token_length", "0");

    assertThatThrownBy(() -> Analysis.of(settings))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("must be greater than zero");
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void pathsOfAnyLengthNeedNoLargeBuffer(boolean isReverse) throws IOException {
    Analyzer paths =
        analyzer("tokenizer", "path_hierarchy", "buffer_size=2000000000;reverse=" + isReverse);
    String name = "n".repeat(3_000);

    assertThat(tokens(paths, name + "/" + name + "/" + name)).isEqualTo(3);
  }

  @Test
  void whatIsWithinThemWorks() throws IOException {
    assertThat(tokens(analyzer("tokenizer", "edge_ngram", "max_gram=32766"), "abc")).isEqualTo(3);
    assertThat(tokens(analyzer("filter", "min_hash", "bucket_count=4"), "a b c")).isPositive();
    assertThat(tokens(analyzer("tokenizer", "simple_pattern", "pattern=[a-c]{2}"), "abcabc"))
        .isEqualTo(3);
    assertThat(tokens(analyzer("tokenizer", "simple_pattern_split", "pattern=-+"), "a--b-c"))
        .isEqualTo(3);
  }
}
