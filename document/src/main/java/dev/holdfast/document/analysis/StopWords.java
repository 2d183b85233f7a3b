package dev.holdfast.document.analysis;

import java.util.List;
import org.apache.lucene.analysis.CharArraySet;
import org.jspecify.annotations.Nullable;

/// Stop words as settings give them: a list of words, `_none_`, or a language's own (`_english_`).
final class StopWords {
  private StopWords() {}

  /// The setting `stopwords`.
  static CharArraySet of(AnalysisParameters parameters, CharArraySet whenAbsent) {
    return of(parameters, whenAbsent, false);
  }

  static CharArraySet of(
      AnalysisParameters parameters, CharArraySet whenAbsent, boolean isCaseIgnored) {
    parameters.requireNoFile("stopwords_path");
    if (!parameters.has("stopwords")) {
      return whenAbsent;
    }
    List<String> words = parameters.list("stopwords");
    CharArraySet all = new CharArraySet(words.size(), isCaseIgnored);
    for (String word : words) {
      CharArraySet named = named(word);
      if (named == null) {
        all.add(word);
      } else {
        all.addAll(named);
      }
    }
    return all;
  }

  private static @Nullable CharArraySet named(String word) {
    if (!word.startsWith("_") || !word.endsWith("_") || word.length() < 3) {
      return null;
    }
    String name = word.substring(1, word.length() - 1);
    Languages.Language language = Languages.ALL.get(name);
    return name.equals("none")
        ? CharArraySet.EMPTY_SET
        : language == null ? null : language.stopWords().get();
  }
}
