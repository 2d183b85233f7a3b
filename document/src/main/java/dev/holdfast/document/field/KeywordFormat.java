package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.world.Promise;
import org.apache.lucene.util.BytesRef;

/// Terms that are UTF-8 text.
final class KeywordFormat implements ValueFormat {
  static final KeywordFormat PLAIN = new KeywordFormat();

  private KeywordFormat() {}

  @Override
  public double toDouble(long docValue) {
    throw noNumbers();
  }

  @Override
  public Object toKey(long docValue) {
    throw noNumbers();
  }

  @Override
  public String toText(long docValue) {
    throw noNumbers();
  }

  @Override
  public String toText(double number) {
    return Double.toString(number);
  }

  @Override
  public long toDocValue(JsonNode value, boolean roundUp, long nowMillis) {
    throw noNumbers();
  }

  static IllegalStateException noNumbers() {
    Promise.keep(false, "ordinal kinds have no numbers");
    return new IllegalStateException();
  }

  @Override
  public String toText(BytesRef term) {
    return term.utf8ToString();
  }

  @Override
  public BytesRef toTerm(JsonNode value) {
    return new BytesRef(value.asText());
  }

  @Override
  public boolean showsText() {
    return false;
  }
}
