package dev.holdfast.document.field.keyword;

import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/// A normaliser applied to one value: an analyser that gives exactly one token.
final class Normalizers {
  private Normalizers() {}

  static String apply(Analyzer normalizer, String field, String text) {
    try (TokenStream tokens = normalizer.tokenStream(field, text)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      String normalized = tokens.incrementToken() ? term.toString() : "";
      if (tokens.incrementToken()) {
        throw Refusal.badArgument(
            "The normalization token stream is expected to produce exactly 1 token, but got 2+ for"
                + " analyzer "
                + normalizer
                + " and input \""
                + text
                + "\"");
      }
      tokens.end();
      return normalized;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
