package dev.holdfast.document.field.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.TermFormat;
import dev.holdfast.world.Refusal;
import java.util.Arrays;
import java.util.Base64;
import org.apache.lucene.util.BytesRef;

/// Bytes as Base64 text.
final class BinaryFormat implements TermFormat {
  static final BinaryFormat PLAIN = new BinaryFormat();

  private BinaryFormat() {}

  @Override
  public String toText(BytesRef term) {
    return Base64.getEncoder()
        .encodeToString(Arrays.copyOfRange(term.bytes, term.offset, term.offset + term.length));
  }

  @Override
  public BytesRef toTerm(JsonNode value) {
    try {
      return new BytesRef(Base64.getDecoder().decode(value.asText()));
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument("Illegal base64: " + e.getMessage());
    }
  }
}
