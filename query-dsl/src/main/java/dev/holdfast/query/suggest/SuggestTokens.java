package dev.holdfast.query.suggest;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.shingle.ShingleFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;
import org.jspecify.annotations.Nullable;

/// The words of a text that suggestions are made for.
final class SuggestTokens {
  private static final int TOKEN_BYTES = 128;

  private SuggestTokens() {}

  /// A word and where it is in the text.
  ///
  /// @param isShingle whether it is several words in one
  record Token(String text, int start, int end, boolean isShingle) {}

  /// @param named the request's analyser; null for the field's
  static List<Token> of(QueryContext context, String field, @Nullable String named, String text)
      throws IOException {
    FieldType type = context.type(field);
    if (type == null) {
      throw Refusal.badArgument("no mapping found for field [" + field + "]");
    }
    Analyzer analyzer = named == null ? type.searchAnalyzer() : context.mapping().analyzer(named);
    if (named != null && analyzer == null) {
      throw Refusal.badArgument("analyzer [" + named + "] doesn't exists");
    }
    List<Token> tokens = new ArrayList<>();
    try (Analyzer keyword = new KeywordAnalyzer();
        TokenStream stream = (analyzer == null ? keyword : analyzer).tokenStream(field, text)) {
      CharTermAttribute word = stream.addAttribute(CharTermAttribute.class);
      OffsetAttribute offsets = stream.addAttribute(OffsetAttribute.class);
      TypeAttribute kind = stream.addAttribute(TypeAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        StopSignal.poll();
        WorkMemory.add(TOKEN_BYTES);
        tokens.add(
            new Token(
                word.toString(),
                offsets.startOffset(),
                offsets.endOffset(),
                kind.type().equals(ShingleFilter.DEFAULT_TOKEN_TYPE)));
      }
      stream.end();
    }
    return tokens;
  }
}
