package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import org.apache.lucene.util.BytesRef;

/// Terms that are addresses of 16 bytes.
final class AddressFormat implements ValueFormat {
  static final AddressFormat PLAIN = new AddressFormat();

  private AddressFormat() {}

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
    return Addresses.text(term.bytes, term.offset);
  }

  @Override
  public BytesRef toTerm(JsonNode value) {
    return new BytesRef(Addresses.parse(value.asText()));
  }

  @Override
  public boolean showsText() {
    return false;
  }
}
