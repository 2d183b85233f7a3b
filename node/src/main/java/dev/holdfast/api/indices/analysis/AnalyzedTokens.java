package dev.holdfast.api.indices.analysis;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionLengthAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;

/// What analysers make of some texts, which count as one text with gaps.
///
/// @param tokensMax more are refused
record AnalyzedTokens(List<String> texts, int tokensMax) {
  /// What a token takes in the answer, beside its letters.
  private static final int TOKEN_BYTES = 500;

  /// What each of its letters takes, and what it takes with all attributes: its bytes are shown as
  /// numbers.
  private static final int LETTER_BYTES = 2;

  private static final int EXPLAINED_BYTES = 12;

  /// Attributes that are shown under names of their own.
  private static final Set<String> SHOWN =
      Set.of("term", "startOffset", "endOffset", "positionIncrement", "type");

  /// `[{"token", "start_offset", "end_offset", "type", "position"}]`
  ArrayNode of(Analyzer analyzer) throws IOException {
    return of(analyzer, analyzer.getPositionIncrementGap(""));
  }

  /// The same of a field that says itself how many positions lie between two texts.
  ArrayNode of(Analyzer analyzer, int positionGap) throws IOException {
    return of(analyzer, false, List.of(), positionGap);
  }

  /// The same with all attributes of the tokens.
  ///
  /// @param attributes those wanted; empty for all
  ArrayNode explained(Analyzer analyzer, List<String> attributes, int positionGap)
      throws IOException {
    return of(analyzer, true, attributes, positionGap);
  }

  /// The same of a part of an analyser, which knows no gap between texts.
  ArrayNode explainedPart(Analyzer analyzer, List<String> attributes) throws IOException {
    return of(analyzer, true, attributes, 0);
  }

  private ArrayNode of(
      Analyzer analyzer, boolean isExplained, List<String> attributes, int positionGap)
      throws IOException {
    ArrayNode tokens = Json.MAPPER.createArrayNode();
    int position = -1;
    int offset = 0;
    for (String text : texts) {
      try (TokenStream stream = analyzer.tokenStream("", text)) {
        CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
        OffsetAttribute offsets = stream.addAttribute(OffsetAttribute.class);
        TypeAttribute type = stream.addAttribute(TypeAttribute.class);
        PositionIncrementAttribute increment =
            stream.addAttribute(PositionIncrementAttribute.class);
        PositionLengthAttribute length = stream.addAttribute(PositionLengthAttribute.class);
        stream.reset();
        while (stream.incrementToken()) {
          requireRoom(tokens);
          StopSignal.pollForCancelling();
          RequestMemory.add(
              TOKEN_BYTES + (long) (isExplained ? EXPLAINED_BYTES : LETTER_BYTES) * term.length());
          position += increment.getPositionIncrement();
          var token =
              tokens
                  .addObject()
                  .put("token", term.toString())
                  .put("start_offset", offset + offsets.startOffset())
                  .put("end_offset", offset + offsets.endOffset())
                  .put("type", type.type())
                  .put("position", position);
          if (isExplained) {
            explain(stream, attributes, token);
          } else if (length.getPositionLength() > 1) {
            token.put("positionLength", length.getPositionLength());
          }
        }
        stream.end();
        offset += offsets.endOffset() + analyzer.getOffsetGap("");
        position += increment.getPositionIncrement() + positionGap;
      }
    }
    return tokens;
  }

  /// What Lucene's attributes say of the token, beyond what is always shown.
  private static void explain(TokenStream stream, List<String> attributes, ObjectNode token) {
    stream.reflectWith((attribute, key, value) -> {
      boolean isWanted = attributes.isEmpty() || attributes.contains(key);
      if (isWanted && !token.has(key) && !SHOWN.contains(key)) {
        switch (value) {
          case null -> token.putNull(key);
          case Boolean flag -> token.put(key, flag);
          case Integer number -> token.put(key, number);
          case Number number -> token.put(key, number.doubleValue());
          default -> token.put(key, value.toString());
        }
      }
    });
  }

  private void requireRoom(ArrayNode tokens) {
    if (tokens.size() >= tokensMax) {
      throw new Refusal(
          ErrorType.STATUS,
          "The number of tokens produced by calling _analyze has exceeded the allowed maximum of ["
              + tokensMax
              + "]. This limit can be set by changing the [index.analyze.max_token_count] index"
              + " level setting.");
    }
  }
}
