package dev.holdfast.document.analysis;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AnalysisTest {
  private final TreeMap<String, Object> settings = new TreeMap<>();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "standard | The QUICK fox's 2.5 | the,quick,fox's,2.5",
        "simple | Quick2Fox it's | quick,fox,it,s",
        "whitespace | Quick-Fox it's | Quick-Fox,it's",
        "stop | The quick fox | quick,fox",
        "keyword | The quick fox | The quick fox",
        "pattern | a-B_c d | a,b_c,d",
        "fingerprint | yes yes Gödel said godel | godel said yes",
        "english | the running foxes | run,fox",
        "french | les chevaux de l'avion | cheval,avion",
        "german | die Häuser | haus",
        "russian | бегущие люди | бегущ,люд",
        "cjk | 東京都 | 東京,京都",
      })
  void builtInAnalyzers(String name, String text, String tokens) throws IOException {
    assertThat(tokens(analyzer(name), text)).isEqualTo(tokens);
  }

  @Test
  void everyBuiltInKindCanBeMade() throws IOException {
    for (String name : Analyzers.ALL.names()) {
      tokens(analyzer(name), "some text to analyse");
    }
    assertThat(Analyzers.ALL.names()).contains("thai", "brazilian", "persian");
    int i = 0;
    for (String language : stemmers()) {
      settings.put("index.analysis.filter.stem" + i + ".type", "stemmer");
      settings.put("index.analysis.filter.stem" + i + ".language", language);
      settings.put("index.analysis.analyzer.a" + i + ".tokenizer", "standard");
      settings.put("index.analysis.analyzer.a" + i + ".filter", "stem" + i++);
    }
    for (int j = 0; j < i; j++) {
      tokens(analyzer("a" + j), "some text to stem");
    }
  }

  private static List<String> stemmers() {
    return List.of(
        "arabic",
        "danish",
        "dutch",
        "english",
        "porter2",
        "light_english",
        "estonian",
        "finnish",
        "german2",
        "light_nynorsk",
        "minimal_nynorsk",
        "nepali",
        "romanian",
        "serbian",
        "tamil",
        "yiddish",
        "possessive_english",
        "hungarian",
        "irish",
        "lithuanian",
        "armenian",
        "basque",
        "catalan",
        "swedish",
        "norwegian",
        "turkish",
        "telugu",
        "portuguese_rslp");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "standard | A b-C | A,b,C",
        "letter | a1b c | a,b,c",
        "lowercase | A1b C | a,b,c",
        "keyword | a b | a b",
        "ngram | abc | a,ab,b,bc,c",
        "edge_ngram | abc | a,ab",
        "pattern | a-b c | a,b,c",
        "uax_url_email | mail me@example.com | mail,me@example.com",
        "path_hierarchy | /a/b | /a,/a/b",
        "classic | I.B.M. a-b | I.B.M.,a,b",
        "thai | การที่ | การ,ที่",
      })
  void builtInTokenizers(String tokenizer, String text, String tokens) throws IOException {
    settings.put("index.analysis.analyzer.mine.tokenizer", tokenizer);

    assertThat(tokens(analyzer("mine"), text)).isEqualTo(tokens);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lowercase || AbC | abc",
        "uppercase || AbC | ABC",
        "asciifolding || héllo | hello",
        "asciifolding | preserve_original=true | héllo | hello,héllo",
        "stop || the fox | fox",
        "stop | stopwords=fox | the fox | the",
        "stop | stopwords=_french_ | les fox | fox",
        "stop | remove_trailing=false | fox and the | fox,the",
        "stemmer | language=light_french | chevaux | cheval",
        "snowball | language=German2 | häuser | haus",
        "porter_stem || running | run",
        "kstem || running | running",
        "length | min=2;max=3 | a ab abc abcd | ab,abc",
        "truncate | length=2 | abcd | ab",
        "reverse || abc | cba",
        "unique || a b a | a,b",
        "shingle || a b c | a,a b,b,b c,c",
        "shingle | output_unigrams=false;max_shingle_size=3 | a b c | a b,a b c,b c",
        "ngram | min_gram=2;max_gram=3 | abc | ab,abc,bc",
        "edge_ngram | min_gram=1;max_gram=2 | abc | a,ab",
        "edge_ngram | side=back;max_gram=2 | abc | c,bc",
        "word_delimiter || Wi-FiBox2 | Wi,Fi,Box,2",
        "word_delimiter_graph | catenate_all=true | Wi-Fi | WiFi,Wi,Fi",
        "synonym | synonyms=fox, wolf => dog | a fox wolf | a,dog,dog",
        "synonym_graph | synonyms=ny, new york | ny | new,ny,york",
        "elision | articles=l, m | l'avion | avion",
        "delimited_payload | delimiter=^ | foo^5 | foo",
        "dictionary_decompounder | word_list=foo, bar | foobar | foobar,foo,bar",
        "multiplexer | filters=lowercase;preserve_original=false | The | the",
        "apostrophe || Istanbul'da | Istanbul",
        "cjk_width || ＡＢ | AB",
        "decimal_digit || ١٢ | 12",
        "limit | max_token_count=2 | a b c | a,b",
        "pattern_replace | pattern=(\\d);replacement=#$1 | a1b2 | a#1b#2",
        "pattern_capture | patterns=(\\d+) | a12 | a12,12",
        "remove_duplicates || a a | a,a",
        "keep | keep_words=b | a b | b",
        "keep_types | types=<NUM> | a 1 | 1",
        "german_normalization || straße | strasse",
        "fingerprint || b a b | a b",
        "stemmer_override | rules=ran => run | ran | run",
        "common_grams | common_words=the | the fox | the,the_fox,fox",
      })
  void tokenFilters(String type, String parameters, String text, String tokens) throws IOException {
    settings.put("index.max_ngram_diff", "2");
    settings.put("index.analysis.filter.mine.type", type);
    for (String parameter : parameters == null ? new String[0] : parameters.split(";", -1)) {
      int equal = parameter.indexOf('=');
      settings.put(
          "index.analysis.filter.mine." + parameter.substring(0, equal),
          type.startsWith("synonym") || type.equals("stemmer_override")
              ? List.of(parameter.substring(equal + 1))
              : parameter.substring(equal + 1));
    }
    boolean isPlain = type.startsWith("keep_types") || type.startsWith("cjk");
    settings.put("index.analysis.analyzer.mine.type", "custom");
    settings.put("index.analysis.analyzer.mine.tokenizer", isPlain ? "standard" : "whitespace");
    settings.put("index.analysis.analyzer.mine.filter", List.of("mine"));

    assertThat(tokens(analyzer("mine"), text)).isEqualTo(tokens);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lenient", "updateable"})
  void aWordThatTheAnalyzerMakesNothingOfIsLeftOut(String setting) throws IOException {
    settings.put("index.analysis.filter.mine.type", "synonym_graph");
    settings.put("index.analysis.filter.mine.synonyms", List.of("a fox => dog", "cat, the => tom"));
    settings.put("index.analysis.analyzer.mine.tokenizer", "whitespace");
    settings.put("index.analysis.analyzer.mine.filter", List.of("stop", "mine"));
    assertThatThrownBy(() -> analyzer("mine"))
        .isInstanceOf(Refusal.class)
        .hasMessage("failed to build synonyms");

    settings.put("index.analysis.filter.mine." + setting, "true");

    assertThat(tokens(analyzer("mine"), "cat fox")).isEqualTo("tom,fox");
  }

  @Test
  void aRuleOfEqualWordsThatMemoryHasNoRoomForIsRefused() {
    String words = IntStream.range(0, 30_000).mapToObj(i -> "w" + i).collect(joining(", "));
    settings.put("index.analysis.filter.mine.type", "synonym");
    settings.put("index.analysis.filter.mine.synonyms", List.of(words));
    settings.put("index.analysis.analyzer.mine.type", "custom");
    settings.put("index.analysis.analyzer.mine.tokenizer", "whitespace");
    settings.put("index.analysis.analyzer.mine.filter", List.of("mine"));

    assertThatThrownBy(() -> analyzer("mine"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("a rule of many equal words leads from each to each");
  }

  @Test
  void everyTokenFilterThatNeedsNothingCanBeUsedByItsName() throws IOException {
    List<String> needing =
        List.of(
            "synonym",
            "synonym_graph",
            "keyword_marker",
            "keep",
            "common_grams",
            "pattern_replace",
            "dictionary_decompounder",
            "condition",
            "predicate_token_filter",
            "multiplexer");
    for (String name : TokenFilters.ALL.names()) {
      if (!needing.contains(name)) {
        settings.put("index.analysis.analyzer.uses_" + name + ".tokenizer", "standard");
        settings.put("index.analysis.analyzer.uses_" + name + ".filter.0", name);
      }
    }
    for (String name : TokenFilters.ALL.names()) {
      if (!needing.contains(name)) {
        tokens(analyzer("uses_" + name), "some text to filter");
      }
    }
    assertThat(TokenFilters.ALL.names()).containsAll(needing);
  }

  @Test
  void keywordsAreNotStemmed() throws IOException {
    settings.put("index.analysis.filter.kept.type", "keyword_marker");
    settings.put("index.analysis.filter.kept.keywords", List.of("running"));
    settings.put("index.analysis.analyzer.mine.tokenizer", "standard");
    settings.put("index.analysis.analyzer.mine.filter", "kept,porter_stem");

    assertThat(tokens(analyzer("mine"), "running walking")).isEqualTo("running,walk");
  }

  @Test
  void charFiltersComeFirst() throws IOException {
    settings.put("index.analysis.char_filter.smile.type", "mapping");
    settings.put("index.analysis.char_filter.smile.mappings", List.of(":) => happy", "\\u0041=>b"));
    settings.put("index.analysis.char_filter.dash.type", "pattern_replace");
    settings.put("index.analysis.char_filter.dash.pattern", "(\\d+)-(?=\\d)");
    settings.put("index.analysis.char_filter.dash.replacement", "$1_");
    settings.put("index.analysis.analyzer.mine.tokenizer", "standard");
    settings.put(
        "index.analysis.analyzer.mine.char_filter", List.of("html_strip", "smile", "dash"));

    assertThat(tokens(analyzer("mine"), "<b>:)</b> A 1-2")).isEqualTo("happy,b,1_2");
  }

  @ParameterizedTest
  @CsvSource({"a => x;a => y,was already added", "=> x,cannot match the empty string"})
  void aMappingThatLuceneRefusesIsRefused(String rules, String reason) {
    settings.put("index.analysis.char_filter.m.type", "mapping");
    settings.put("index.analysis.char_filter.m.mappings", List.of(rules.split(";")));
    settings.put("index.analysis.analyzer.mine.tokenizer", "standard");
    settings.put("index.analysis.analyzer.mine.char_filter", "m");

    assertThatThrownBy(() -> analyzer("mine"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(reason);
  }

  @Test
  void configuredTokenizers() throws IOException {
    settings.put("index.analysis.tokenizer.grams.type", "ngram");
    settings.put("index.analysis.tokenizer.grams.min_gram", 2);
    settings.put("index.analysis.tokenizer.grams.token_chars", List.of("letter", "custom"));
    settings.put("index.analysis.tokenizer.grams.custom_token_chars", "_");
    settings.put("index.analysis.tokenizer.groups.type", "char_group");
    settings.put(
        "index.analysis.tokenizer.groups.tokenize_on_chars", List.of("whitespace", "-", "\\n"));
    settings.put("index.analysis.tokenizer.digits.type", "simple_pattern");
    settings.put("index.analysis.tokenizer.digits.pattern", "[0-9]{2}");
    settings.put("index.analysis.analyzer.g.tokenizer", "grams");
    settings.put("index.analysis.analyzer.c.tokenizer", "groups");
    settings.put("index.analysis.analyzer.d.tokenizer", "digits");

    assertThat(tokens(analyzer("g"), "ab_ c1d")).isEqualTo("ab,b_");
    assertThat(tokens(analyzer("c"), "The QUICK-fox")).isEqualTo("The,QUICK,fox");
    assertThat(tokens(analyzer("d"), "a12b3456")).isEqualTo("12,34,56");
  }

  @Test
  void normalizersAndNormalizing() {
    settings.put("index.analysis.normalizer.mine.type", "custom");
    settings.put("index.analysis.normalizer.mine.filter", List.of("lowercase", "asciifolding"));
    settings.put("index.analysis.analyzer.text.tokenizer", "standard");
    settings.put("index.analysis.analyzer.text.filter", "lowercase,stop");
    Analysis analysis = Analysis.of(settings);

    assertThat(normalize(analysis.normalizer("mine"), "HÉLLO the")).isEqualTo("hello the");
    assertThat(normalize(analysis.normalizer("lowercase"), "ABC")).isEqualTo("abc");
    assertThat(normalize(analysis.analyzer("text"), "The")).isEqualTo("the");
    assertThat(analysis.normalizer("none")).isNull();
    assertThat(analysis.analyzer("none")).isNull();
  }

  @Test
  void theDefaultAnalyzerCanBeSet() throws IOException {
    assertThat(tokens(Analysis.of(settings).defaultAnalyzer(), "The Fox")).isEqualTo("the,fox");
    settings.put("index.analysis.analyzer.default.type", "whitespace");
    assertThat(tokens(Analysis.of(settings).defaultAnalyzer(), "The Fox")).isEqualTo("The,Fox");
    assertThat(Analysis.of(settings).defaultAnalyzer().getPositionIncrementGap("f")).isEqualTo(100);
  }

  static List<List<String>> wrongSettings() {
    return List.of(
        List.of("analyzer.x.type", "nope", "Unknown analyzer type [nope] for [x]"),
        List.of("tokenizer.x.type", "nope", "Unknown tokenizer type [nope] for [x]"),
        List.of("filter.x.type", "nope", "Unknown filter type [nope] for [x]"),
        List.of("char_filter.x.type", "nope", "Unknown char_filter type [nope] for [x]"),
        List.of(
            "analyzer.x.tokenizer",
            "nope",
            "Custom Analyzer [x] failed to find tokenizer under name [nope]"),
        List.of(
            "analyzer.x.filter",
            "nope",
            "analyzer [x] must specify either an analyzer type, or a tokenizer"),
        List.of(
            "normalizer.x.filter",
            "nope",
            "Custom normalizer [x] failed to find filter under name [nope]"),
        List.of("normalizer.x.filter", "stop", "Custom normalizer [x] may not use filter [stop]"),
        List.of(
            "normalizer.x.tokenizer",
            "keyword",
            "Custom normalizer [x] cannot configure a tokenizer"));
  }

  @ParameterizedTest
  @MethodSource("wrongSettings")
  void refusesWrongSettings(List<String> wrong) {
    settings.put("index.analysis." + wrong.get(0), wrong.get(1));

    assertThatThrownBy(() -> Analysis.of(settings))
        .isInstanceOf(Refusal.class)
        .hasMessage(wrong.get(2));
  }

  @Test
  void refusesUnknownFiltersAndWideNgrams() {
    settings.put("index.analysis.analyzer.x.tokenizer", "standard");
    settings.put("index.analysis.analyzer.x.filter", "nope");
    assertThatThrownBy(() -> Analysis.of(settings))
        .hasMessage("Custom Analyzer [x] failed to find filter under name [nope]");

    settings.clear();
    settings.put("index.analysis.tokenizer.x.type", "ngram");
    settings.put("index.analysis.tokenizer.x.max_gram", 9);
    assertThatThrownBy(() -> Analysis.of(settings))
        .hasMessageContaining("must be less than or equal to: [1] but was [8]");
  }

  private Analyzer analyzer(String name) {
    return Objects.requireNonNull(Analysis.of(settings).analyzer(name));
  }

  private static String normalize(
      @org.jspecify.annotations.Nullable Analyzer analyzer, String text) {
    return Objects.requireNonNull(analyzer).normalize("f", text).utf8ToString();
  }

  private static String tokens(Analyzer analyzer, String text) throws IOException {
    List<String> tokens = new ArrayList<>();
    for (int use = 0; use < 2; use++) {
      tokens.clear();
      try (TokenStream stream = analyzer.tokenStream("f", text)) {
        CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
        stream.reset();
        while (stream.incrementToken()) {
          tokens.add(term.toString());
        }
        stream.end();
      }
    }
    return String.join(",", tokens);
  }
}
