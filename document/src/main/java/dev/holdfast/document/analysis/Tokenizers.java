package dev.holdfast.document.analysis;

import dev.holdfast.document.analysis.pattern.AutomatonPatterns;
import dev.holdfast.document.analysis.pattern.PatternTokens;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.classic.ClassicTokenizer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.LetterTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.email.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenizer;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.apache.lucene.analysis.path.PathHierarchyTokenizer;
import org.apache.lucene.analysis.path.ReversePathHierarchyTokenizer;
import org.apache.lucene.analysis.pattern.SimplePatternSplitTokenizer;
import org.apache.lucene.analysis.pattern.SimplePatternTokenizer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.th.ThaiTokenizer;
import org.apache.lucene.analysis.util.CharTokenizer;
import org.apache.lucene.util.automaton.Automaton;

/// Every kind of tokenizer.
final class Tokenizers {
  private static final int TOKEN_LENGTH_MAX = 255;

  /// Characters that a path begins with room for; it gets more when it needs more, so that a larger
  /// buffer does nothing but take memory.
  private static final int PATH_BUFFER = 1024;

  static final Registry<Function<AnalysisParameters, Part>> ALL =
      Registry.<Function<AnalysisParameters, Part>>of("tokenizer")
          .with("standard", Tokenizers::standard)
          .with("letter", _ -> part(LetterTokenizer::new))
          .with(
              "lowercase",
              _ -> new Part(LetterTokenizer::new, tokens -> new LowerCaseFilter(tokens)))
          .with("whitespace", Tokenizers::whitespace)
          .with("keyword", Tokenizers::keyword)
          .with("ngram", Tokenizers::ngram)
          .with("nGram", Tokenizers::ngram)
          .with("edge_ngram", Tokenizers::edgeNgram)
          .with("edgeNGram", Tokenizers::edgeNgram)
          .with("pattern", Tokenizers::pattern)
          .with("simple_pattern", Tokenizers::simplePattern)
          .with("simple_pattern_split", Tokenizers::simplePatternSplit)
          .with("uax_url_email", Tokenizers::urlEmail)
          .with("path_hierarchy", Tokenizers::pathHierarchy)
          .with("PathHierarchy", Tokenizers::pathHierarchy)
          .with("classic", Tokenizers::classic)
          .with("char_group", Tokenizers::charGroup)
          .with("thai", _ -> part(ThaiTokenizer::new));

  private Tokenizers() {}

  /// A tokenizer ready to be made, and the filter that belongs to it.
  record Part(Supplier<Tokenizer> source, UnaryOperator<TokenStream> filter) {}

  private static Part part(Supplier<Tokenizer> source) {
    return new Part(source, AnalyzerChain.nothing());
  }

  private static Part standard(AnalysisParameters parameters) {
    int lengthMax = parameters.number("max_token_length", TOKEN_LENGTH_MAX);
    return part(() -> {
      StandardTokenizer tokenizer = new StandardTokenizer();
      tokenizer.setMaxTokenLength(lengthMax);
      return tokenizer;
    });
  }

  private static Part urlEmail(AnalysisParameters parameters) {
    int lengthMax = parameters.number("max_token_length", TOKEN_LENGTH_MAX);
    return part(() -> {
      UAX29URLEmailTokenizer tokenizer = new UAX29URLEmailTokenizer();
      tokenizer.setMaxTokenLength(lengthMax);
      return tokenizer;
    });
  }

  private static Part classic(AnalysisParameters parameters) {
    int lengthMax = parameters.number("max_token_length", TOKEN_LENGTH_MAX);
    return part(() -> {
      ClassicTokenizer tokenizer = new ClassicTokenizer();
      tokenizer.setMaxTokenLength(lengthMax);
      return tokenizer;
    });
  }

  private static Part whitespace(AnalysisParameters parameters) {
    int lengthMax = parameters.number("max_token_length", TOKEN_LENGTH_MAX);
    return part(() -> new WhitespaceTokenizer(lengthMax));
  }

  private static Part keyword(AnalysisParameters parameters) {
    int bufferSize = parameters.number("buffer_size", 256);
    return part(() -> new KeywordTokenizer(bufferSize));
  }

  private static Part ngram(AnalysisParameters parameters) {
    int least = parameters.number("min_gram", 1);
    int most = parameters.number("max_gram", 2);
    Ngrams.keepLimit(parameters, "NGram Tokenizer", least, most);
    Ngrams.keepLength(most);
    IntPredicate inToken = TokenCharacters.of(parameters);
    return part(() ->
        new NGramTokenizer(least, most) {
          @Override
          protected boolean isTokenChar(int codePoint) {
            return inToken.test(codePoint);
          }
        });
  }

  private static Part edgeNgram(AnalysisParameters parameters) {
    int least = parameters.number("min_gram", 1);
    int most = parameters.number("max_gram", 2);
    Ngrams.keepLength(most);
    IntPredicate inToken = TokenCharacters.of(parameters);
    return part(() ->
        new EdgeNGramTokenizer(least, most) {
          @Override
          protected boolean isTokenChar(int codePoint) {
            return inToken.test(codePoint);
          }
        });
  }

  private static Part pattern(AnalysisParameters parameters) {
    Pattern pattern = parameters.pattern("pattern", "\\W+");
    int group = parameters.number("group", -1);
    return part(() -> new PatternTokens(pattern, group));
  }

  private static Part simplePattern(AnalysisParameters parameters) {
    Automaton pattern = AutomatonPatterns.determinized(parameters.text("pattern", ""));
    return part(() -> new SimplePatternTokenizer(pattern));
  }

  private static Part simplePatternSplit(AnalysisParameters parameters) {
    Automaton pattern = AutomatonPatterns.determinized(parameters.text("pattern", ""));
    return part(() -> new SimplePatternSplitTokenizer(pattern));
  }

  private static Part pathHierarchy(AnalysisParameters parameters) {
    int bufferSize = Math.min(PATH_BUFFER, parameters.number("buffer_size", PATH_BUFFER));
    char delimiter = character(parameters, "delimiter", "/");
    char replacement = character(parameters, "replacement", String.valueOf(delimiter));
    int skip = parameters.number("skip", 0);
    return parameters.flag("reverse", false)
        ? part(() -> new ReversePathHierarchyTokenizer(bufferSize, delimiter, replacement, skip))
        : part(() -> new PathHierarchyTokenizer(bufferSize, delimiter, replacement, skip));
  }

  private static char character(AnalysisParameters parameters, String key, String whenAbsent) {
    String text = parameters.text(key, whenAbsent);
    if (text.length() != 1) {
      throw Refusal.badArgument(key + " must be a one char value");
    }
    return text.charAt(0);
  }

  private static Part charGroup(AnalysisParameters parameters) {
    int lengthMax = parameters.number("max_token_length", TOKEN_LENGTH_MAX);
    IntPredicate separates = TokenCharacters.anyOf(parameters.rules("tokenize_on_chars"));
    return part(() ->
        new CharTokenizer(TokenStream.DEFAULT_TOKEN_ATTRIBUTE_FACTORY, lengthMax) {
          @Override
          protected boolean isTokenChar(int codePoint) {
            return !separates.test(codePoint);
          }
        });
  }
}
