package dev.holdfast.document.analysis;

import dev.holdfast.document.analysis.TokenFilters.Part;
import dev.holdfast.world.Refusal;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsQueryFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.ngram.NGramTokenFilter;
import org.apache.lucene.analysis.reverse.ReverseStringFilter;
import org.apache.lucene.analysis.shingle.ShingleFilter;

/// Filters that make pieces of tokens, or join neighbours.
final class GramFilters {
  private GramFilters() {}

  private static Part part(UnaryOperator<TokenStream> filter) {
    return new Part(false, filter);
  }

  static Part shingle(AnalysisParameters parameters) {
    int least = parameters.number("min_shingle_size", 2);
    int most = parameters.number("max_shingle_size", 2);
    boolean hasUnigrams = parameters.flag("output_unigrams", true);
    boolean hasUnigramsWhenAlone = parameters.flag("output_unigrams_if_no_shingles", false);
    int differenceMax = parameters.indexNumber("index.max_shingle_diff", 3);
    int difference = most - least + (hasUnigrams ? 1 : 0);
    if (difference > differenceMax) {
      throw Refusal.badArgument(
          "In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and"
              + " +1 if outputting unigrams) must be less than or equal to: ["
              + differenceMax
              + "] but was ["
              + difference
              + "]. This limit can be set by changing the [index.max_shingle_diff] index level"
              + " setting.");
    }
    String separator = parameters.text("token_separator", ShingleFilter.DEFAULT_TOKEN_SEPARATOR);
    String filler = parameters.text("filler_token", ShingleFilter.DEFAULT_FILLER_TOKEN);
    return part(tokens -> {
      ShingleFilter filter = new ShingleFilter(tokens, least, most);
      filter.setOutputUnigrams(hasUnigrams);
      filter.setOutputUnigramsIfNoShingles(hasUnigramsWhenAlone);
      filter.setTokenSeparator(separator);
      filter.setFillerToken(filler);
      return filter;
    });
  }

  static Part ngram(AnalysisParameters parameters) {
    int least = parameters.number("min_gram", 1);
    int most = parameters.number("max_gram", 2);
    Ngrams.keepLimit(parameters, "NGram TokenFilter", least, most);
    boolean keepsOriginal = parameters.flag("preserve_original", false);
    return part(tokens -> new NGramTokenFilter(tokens, least, most, keepsOriginal));
  }

  static Part edgeNgram(AnalysisParameters parameters) {
    int least = parameters.number("min_gram", 1);
    int most = parameters.number("max_gram", 2);
    boolean keepsOriginal = parameters.flag("preserve_original", false);
    boolean isBack = parameters.text("side", "front").equals("back");
    return part(
        isBack
            ? tokens ->
                new ReverseStringFilter(
                    new EdgeNGramTokenFilter(
                        new ReverseStringFilter(tokens), least, most, keepsOriginal))
            : tokens -> new EdgeNGramTokenFilter(tokens, least, most, keepsOriginal));
  }

  static Part cjkBigram(AnalysisParameters parameters) {
    int scripts = CJKBigramFilter.HAN | CJKBigramFilter.HIRAGANA;
    scripts |= CJKBigramFilter.KATAKANA | CJKBigramFilter.HANGUL;
    for (String ignored : parameters.list("ignored_scripts")) {
      scripts &=
          ~switch (ignored) {
            case "han" -> CJKBigramFilter.HAN;
            case "hiragana" -> CJKBigramFilter.HIRAGANA;
            case "katakana" -> CJKBigramFilter.KATAKANA;
            case "hangul" -> CJKBigramFilter.HANGUL;
            default -> 0;
          };
    }
    int kept = scripts;
    boolean hasUnigrams = parameters.flag("output_unigrams", false);
    return part(tokens -> new CJKBigramFilter(tokens, kept, hasUnigrams));
  }

  static Part commonGrams(AnalysisParameters parameters) {
    CharArraySet words = parameters.words("common_words", parameters.flag("ignore_case", false));
    if (words.isEmpty()) {
      throw Refusal.badArgument(
          "missing or empty [common_words] or [common_words_path] configuration for common_grams"
              + " token filter");
    }
    boolean isQuery = parameters.flag("query_mode", false);
    return part(tokens -> {
      CommonGramsFilter grams = new CommonGramsFilter(tokens, words);
      return isQuery ? new CommonGramsQueryFilter(grams) : grams;
    });
  }
}
