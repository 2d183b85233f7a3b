package dev.holdfast.document.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.junit.jupiter.api.Test;

final class AsciiTokensTest {
  private static final String ALPHABET =
      "abzABZ019__..'':,;;-/ \t\n\"@#$%^&*()+=[]{}<>?!|\\~`\u007f\u0000";
  private static final int TEXTS = 100_000;

  @Test
  void randomAsciiHasTheTokensOfTheStandardAnalyzer() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Analyzer standard = new StandardAnalyzer();
    AsciiTokens ascii = new AsciiTokens();
    for (int i = 0; i < TEXTS; i++) {
      String text = text(random, i % 1000 == 0 ? 2000 : random.nextInt(24));
      byte[] utf8 = ("x" + text + "y").getBytes(StandardCharsets.UTF_8);
      ascii.reset(utf8, 1, utf8.length - 2);
      List<String> tokens = tokens(ascii);
      try (TokenStream expected = standard.tokenStream("f", text)) {
        assertThat(tokens).as("seed %s, text <%s>", seed, text).isEqualTo(tokens(expected));
      }
    }
  }

  @Test
  void wordsLongerThanTheMaximumAreCutAsTheStandardAnalyzerDoes() throws IOException {
    Analyzer standard = new StandardAnalyzer();
    AsciiTokens ascii = new AsciiTokens();
    for (int length = 250; length < 262; length++) {
      for (String tail : List.of("", ".b", "..b", "_", "__", "1,2", ".bcd e", "a".repeat(600))) {
        String text = "A".repeat(length) + tail;
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        ascii.reset(utf8, 0, utf8.length);
        try (TokenStream expected = standard.tokenStream("f", text)) {
          assertThat(tokens(ascii)).as(text).isEqualTo(tokens(expected));
        }
      }
    }
  }

  @Test
  void standsForThePlainStandardAnalyzerOnly() {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.analysis.analyzer.plain.type", "standard");
    settings.put("index.analysis.analyzer.stopping.type", "standard");
    settings.put("index.analysis.analyzer.stopping.stopwords", "_english_");
    settings.put("index.analysis.analyzer.short.type", "standard");
    settings.put("index.analysis.analyzer.short.max_token_length", 5);
    Analysis analysis = Analysis.of(settings);

    assertThat(AsciiTokens.standFor(analysis.defaultAnalyzer())).isTrue();
    assertThat(AsciiTokens.standFor(analysis.analyzer("plain"))).isTrue();
    assertThat(AsciiTokens.standFor(analysis.analyzer("stopping"))).isFalse();
    assertThat(AsciiTokens.standFor(analysis.analyzer("short"))).isFalse();
    assertThat(AsciiTokens.standFor(analysis.analyzer("whitespace"))).isFalse();
  }

  @Test
  void asciiIsToldFromOtherText() {
    for (String text : List.of("", "plain", "plain enough for eight bytes")) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      assertThat(AsciiTokens.isAscii(utf8, 0, utf8.length)).isTrue();
    }
    for (String text : List.of("é", "plain enough é for eight", "plain enough for eight bytesé")) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      assertThat(AsciiTokens.isAscii(utf8, 0, utf8.length)).isFalse();
    }
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    boolean isLongWord = length > 100 && random.nextBoolean();
    for (int i = 0; i < length; i++) {
      int kind = random.nextInt(10);
      if (isLongWord) {
        text.append(random.nextInt(200) == 0 ? "._ :".charAt(random.nextInt(4)) : 'Q');
      } else if (kind < 5) {
        text.append("aZ90_".charAt(random.nextInt(5)));
      } else {
        text.append(
            kind < 9
                ? ALPHABET.charAt(random.nextInt(ALPHABET.length()))
                : (char) random.nextInt(128));
      }
    }
    return text.toString();
  }

  private static List<String> tokens(TokenStream stream) throws IOException {
    TermToBytesRefAttribute term = stream.getAttribute(TermToBytesRefAttribute.class);
    OffsetAttribute offset = stream.addAttribute(OffsetAttribute.class);
    PositionIncrementAttribute increment = stream.addAttribute(PositionIncrementAttribute.class);
    List<String> tokens = new ArrayList<>();
    stream.reset();
    while (stream.incrementToken()) {
      tokens.add(
          term.getBytesRef().utf8ToString()
              + "@"
              + offset.startOffset()
              + "-"
              + offset.endOffset()
              + "+"
              + increment.getPositionIncrement());
    }
    stream.end();
    tokens.add("end@" + offset.endOffset() + "+" + increment.getPositionIncrement());
    return tokens;
  }
}
