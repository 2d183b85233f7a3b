package dev.holdfast.document.analysis;

import dev.holdfast.document.analysis.pattern.PatternTokens;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.core.StopAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.FingerprintFilter;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;

/// Every kind of analyser but `custom`: the general ones, and one for each language.
final class Analyzers {
  static final Registry<Function<AnalysisParameters, Analyzer>> ALL = all();

  private Analyzers() {}

  private static Registry<Function<AnalysisParameters, Analyzer>> all() {
    Registry<Function<AnalysisParameters, Analyzer>> all =
        Registry.<Function<AnalysisParameters, Analyzer>>of("analyzer")
            .with("standard", Analyzers::standard)
            .with("simple", _ -> new PositionGapAnalyzer(new SimpleAnalyzer()))
            .with("whitespace", _ -> new PositionGapAnalyzer(new WhitespaceAnalyzer()))
            .with("keyword", _ -> new PositionGapAnalyzer(new KeywordAnalyzer()))
            .with("stop", Analyzers::stop)
            .with("pattern", Analyzers::pattern)
            .with("snowball", Analyzers::snowball)
            .with("chinese", Analyzers::chinese)
            .with("fingerprint", Analyzers::fingerprint);
    for (String name : Languages.ALL.names()) {
      Languages.Language language = java.util.Objects.requireNonNull(Languages.ALL.get(name));
      all = all.with(name, parameters -> new PositionGapAnalyzer(language.analyzer(parameters)));
    }
    return all;
  }

  private static Analyzer standard(AnalysisParameters parameters) {
    StandardAnalyzer analyzer =
        new StandardAnalyzer(StopWords.of(parameters, CharArraySet.EMPTY_SET));
    int lengthMax =
        parameters.number("max_token_length", StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH);
    if (lengthMax < 1 || lengthMax > StandardTokenizer.MAX_TOKEN_LENGTH_LIMIT) {
      throw Refusal.badArgument(
          lengthMax < 1
              ? "maxTokenLength must be greater than zero"
              : "maxTokenLength may not exceed " + StandardTokenizer.MAX_TOKEN_LENGTH_LIMIT);
    }
    analyzer.setMaxTokenLength(lengthMax);
    return new PositionGapAnalyzer(analyzer);
  }

  private static Analyzer stop(AnalysisParameters parameters) {
    return new PositionGapAnalyzer(
        new StopAnalyzer(StopWords.of(parameters, EnglishAnalyzer.getDefaultStopSet())));
  }

  private static Analyzer pattern(AnalysisParameters parameters) {
    Pattern pattern = parameters.pattern("pattern", "\\W+");
    CharArraySet stopWords = StopWords.of(parameters, CharArraySet.EMPTY_SET);
    List<TokenFilters.Part> filters = new ArrayList<>();
    if (parameters.flag("lowercase", true)) {
      filters.add(new TokenFilters.Part(true, LowerCaseFilter::new));
    }
    filters.add(new TokenFilters.Part(false, tokens -> new StopFilter(tokens, stopWords)));
    return new AnalyzerChain(
        List.of(),
        new Tokenizers.Part(
            () -> new PatternTokens(pattern, PatternTokens.BETWEEN), AnalyzerChain.nothing()),
        filters,
        PositionGapAnalyzer.POSITION_INCREMENT_GAP);
  }

  /// Standard tokens without stop words, stemmed by Snowball.
  private static Analyzer snowball(AnalysisParameters parameters) {
    String language = parameters.text("language", parameters.text("name", "English"));
    Languages.Language known = Languages.ALL.get(language.toLowerCase(java.util.Locale.ROOT));
    CharArraySet usual = known == null ? CharArraySet.EMPTY_SET : known.stopWords().get();
    CharArraySet stopWords = StopWords.of(parameters, usual);
    return new AnalyzerChain(
        List.of(),
        new Tokenizers.Part(StandardTokenizer::new, AnalyzerChain.nothing()),
        List.of(
            new TokenFilters.Part(true, LowerCaseFilter::new),
            new TokenFilters.Part(false, tokens -> new StopFilter(tokens, stopWords)),
            new TokenFilters.Part(false, Stemmers.snowball(language))),
        PositionGapAnalyzer.POSITION_INCREMENT_GAP);
  }

  /// What is left of an old analyser: standard tokens without English stop words.
  private static Analyzer chinese(AnalysisParameters parameters) {
    return new PositionGapAnalyzer(new StandardAnalyzer(EnglishAnalyzer.getDefaultStopSet()));
  }

  private static Analyzer fingerprint(AnalysisParameters parameters) {
    char separator = ChoosingFilters.separator(parameters);
    int sizeMax = parameters.number("max_output_size", 255);
    CharArraySet stopWords = StopWords.of(parameters, CharArraySet.EMPTY_SET);
    return new AnalyzerChain(
        List.of(),
        new Tokenizers.Part(StandardTokenizer::new, AnalyzerChain.nothing()),
        List.of(
            new TokenFilters.Part(true, LowerCaseFilter::new),
            new TokenFilters.Part(true, tokens -> new ASCIIFoldingFilter(tokens, false)),
            new TokenFilters.Part(false, tokens -> new StopFilter(tokens, stopWords)),
            new TokenFilters.Part(
                false, tokens -> new FingerprintFilter(tokens, sizeMax, separator))),
        PositionGapAnalyzer.POSITION_INCREMENT_GAP);
  }
}
