package dev.holdfast.document.analysis.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.miscellaneous.PatternKeywordMarkerFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.apache.lucene.analysis.pattern.PatternReplaceCharFilter;
import org.apache.lucene.analysis.pattern.PatternReplaceFilter;
import org.apache.lucene.analysis.pattern.PatternTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.KeywordAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random texts through each part and through Lucene's of the same kind: the same tokens, at the
/// same places; and what Lucene's would never finish is refused.
final class LikeLuceneTest {
  private static final int TEXTS = 400;
  private static final String[] PATTERNS = {
    "a",
    "b+",
    "(a)(b)?",
    "(a|bc)",
    "((a)b*)c",
    "^a",
    "c$",
    "",
    "(b*)",
    "\\s",
    "(?=(b))",
    "[ab](c)",
    "(a)|(b)|(c)"
  };
  private static final String[] REPLACEMENTS = {"", "x", "xyz", "$0$0", "-"};

  private record Chain(Function<Reader, Reader> filter, Function<Reader, TokenStream> stream) {}

  private static List<String> tokens(TokenStream stream) throws IOException {
    List<String> tokens = new ArrayList<>();
    try (stream) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      OffsetAttribute offsets = stream.addAttribute(OffsetAttribute.class);
      PositionIncrementAttribute position = stream.addAttribute(PositionIncrementAttribute.class);
      KeywordAttribute keyword = stream.addAttribute(KeywordAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        tokens.add(
            term
                + "@"
                + offsets.startOffset()
                + "-"
                + offsets.endOffset()
                + "+"
                + position.getPositionIncrement()
                + keyword.isKeyword());
      }
      stream.end();
      tokens.add("end " + offsets.endOffset());
    } catch (IllegalArgumentException e) { // an offset that is none
      tokens.add(String.valueOf(e.getMessage()));
    }
    return tokens;
  }

  private static TokenStream on(Tokenizer tokenizer, Reader text) {
    tokenizer.setReader(text);
    return tokenizer;
  }

  private static TokenStream words(Reader text) {
    return on(new WhitespaceTokenizer(), text);
  }

  private static void compare(SplittableRandom random, Chain ours, Chain lucene, String what)
      throws IOException {
    for (int i = 0; i < TEXTS; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(14); length > 0; length--) {
        text.append("aabbc ".charAt(random.nextInt(6)));
      }
      String given = text.toString();
      assertThat(tokens(ours.stream.apply(ours.filter.apply(new StringReader(given)))))
          .as("%s of [%s]", what, given)
          .isEqualTo(tokens(lucene.stream.apply(lucene.filter.apply(new StringReader(given)))));
    }
  }

  private static Chain filter(Function<TokenStream, TokenStream> filter) {
    return new Chain(Function.identity(), text -> filter.apply(words(text)));
  }

  @Test
  void tokenizers() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    for (String text : PATTERNS) {
      Pattern pattern = Pattern.compile(text);
      for (int group = -1; group <= pattern.matcher("").groupCount(); group++) {
        int wanted = group;
        compare(
            random,
            new Chain(Function.identity(), in -> on(new PatternTokens(pattern, wanted), in)),
            new Chain(Function.identity(), in -> on(new PatternTokenizer(pattern, wanted), in)),
            text + " group " + group);
      }
    }
  }

  @Test
  void replacingFilters() throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    for (String text : PATTERNS) {
      Pattern pattern = Pattern.compile(text);
      for (String replacement : REPLACEMENTS) {
        for (boolean isAll : new boolean[] {true, false}) {
          compare(
              random,
              filter(in -> new PatternReplacing(in, pattern, replacement, isAll)),
              filter(in -> new PatternReplaceFilter(in, pattern, replacement, isAll)),
              text + " by " + replacement);
        }
      }
    }
  }

  @Test
  void replacingReaders() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    for (String text : PATTERNS) {
      Pattern pattern = Pattern.compile(text);
      for (String replacement : REPLACEMENTS) {
        compare(
            random,
            new Chain(
                in -> new PatternReplacingReader(pattern, replacement, in), LikeLuceneTest::words),
            new Chain(
                in -> new PatternReplaceCharFilter(pattern, replacement, in),
                LikeLuceneTest::words),
            text + " by " + replacement);
      }
    }
  }

  @Test
  void captures() throws IOException {
    SplittableRandom random = new SplittableRandom(4);
    for (String one : PATTERNS) {
      for (String other : PATTERNS) {
        Pattern[] patterns = {Pattern.compile(one), Pattern.compile(other)};
        for (boolean keeps : new boolean[] {true, false}) {
          compare(
              random,
              filter(in -> new PatternCaptures(in, List.of(patterns), keeps)),
              filter(in -> new PatternCaptureGroupTokenFilter(in, keeps, patterns)),
              one + " and " + other + " keeps " + keeps);
        }
      }
    }
  }

  @Test
  void keywords() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    for (String text : PATTERNS) {
      Pattern pattern = Pattern.compile(text);
      compare(
          random,
          filter(in -> new PatternKeywords(in, pattern)),
          filter(in -> new PatternKeywordMarkerFilter(in, pattern)),
          text);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"(.*)(.*)(.*)(.*)(.*)x", "(.*a)(.*a)(.*a)(.*a)(.*a)b"})
  void whatBacktracksWithoutEndIsRefused(String text) {
    Pattern pattern = Pattern.compile(text);
    String given = "a".repeat(255);
    List<Function<Reader, TokenStream>> parts =
        List.of(
            in -> on(new PatternTokens(pattern, -1), in),
            in -> new PatternReplacing(words(in), pattern, "", true),
            in -> new PatternCaptures(words(in), List.of(pattern), true),
            in -> new PatternKeywords(words(in), pattern),
            in -> on(new KeywordTokenizer(), new PatternReplacingReader(pattern, "", in)));

    for (Function<Reader, TokenStream> part : parts) {
      assertThatThrownBy(() -> tokens(part.apply(new StringReader(given))))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("takes too long");
    }
  }
}
