package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.world.Refusal;
import java.util.Arrays;
import java.util.Base64;
import org.apache.lucene.util.BytesRef;

/// Bytes as Base64 text.
final class BinaryFormat implements ValueFormat {
  static final BinaryFormat PLAIN = new BinaryFormat();

  private BinaryFormat() {}

  @Override
  public double toDouble(long docValue) {
    throw KeywordFormat.noNumbers();
  }

  @Override
  public Object toKey(long docValue) {
    throw KeywordFormat.noNumbers();
  }

  @Override
  public String toText(long docValue) {
    throw KeywordFormat.noNumbers();
  }

  @Override
  public String toText(double number) {
    return Double.toString(number);
  }

  @Override
  public long toDocValue(JsonNode value, boolean roundUp, long nowMillis) {
    throw KeywordFormat.noNumbers();
  }

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

  @Override
  public boolean showsText() {
    return false;
  }
}
