package dev.holdfast.node.api.index;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
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
record Tokens(List<String> texts, int tokensMax) {
  /// `[{"token", "start_offset", "end_offset", "type", "position"}]`
  ArrayNode of(Analyzer analyzer) throws IOException {
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
          position += increment.getPositionIncrement();
          var token =
              tokens
                  .addObject()
                  .put("token", term.toString())
                  .put("start_offset", offset + offsets.startOffset())
                  .put("end_offset", offset + offsets.endOffset())
                  .put("type", type.type())
                  .put("position", position);
          if (length.getPositionLength() > 1) {
            token.put("positionLength", length.getPositionLength());
          }
        }
        stream.end();
        offset += offsets.endOffset() + analyzer.getOffsetGap("");
        position += increment.getPositionIncrement() + analyzer.getPositionIncrementGap("");
      }
    }
    return tokens;
  }

  private void requireRoom(ArrayNode tokens) {
    if (tokens.size() >= tokensMax) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE,
          "The number of tokens produced by calling _analyze has exceeded the allowed maximum of ["
              + tokensMax
              + "]. This limit can be set by changing the [index.analyze.max_token_count] index"
              + " level setting.");
    }
  }
}
