package dev.holdfast.document.analysis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Refusal;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Analysis by files, which nodes do not have.
final class AnalysisFilesTest {
  @ParameterizedTest
  @CsvSource({
    "word_delimiter, protected_words_path",
    "word_delimiter_graph, protected_words_path",
    "word_delimiter, type_table_path",
    "stop, stopwords_path",
    "stemmer_override, rules_path",
  })
  void aFilterThatNamesAFileIsRefused(String type, String setting) {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.analysis.filter.mine.type", type);
    settings.put("index.analysis.filter.mine." + setting, "words.txt");
    settings.put("index.analysis.analyzer.mine.tokenizer", "standard");
    settings.put("index.analysis.analyzer.mine.filter", "mine");

    assertThatThrownBy(() -> Analysis.of(settings).analyzer("mine"))
        .isInstanceOf(Refusal.class)
        .hasMessage("[mine]: " + setting + " is not supported");
  }

  @ParameterizedTest
  @CsvSource({"english, stem_exclusion_path", "english, stopwords_path"})
  void soIsAnAnalyzer(String type, String setting) {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.analysis.analyzer.mine.type", type);
    settings.put("index.analysis.analyzer.mine." + setting, "words.txt");

    assertThatThrownBy(() -> Analysis.of(settings).analyzer("mine"))
        .isInstanceOf(Refusal.class)
        .hasMessage("[mine]: " + setting + " is not supported");
  }
}
