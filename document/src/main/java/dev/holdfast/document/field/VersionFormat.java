package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import org.apache.lucene.util.BytesRef;

/// Terms that are encoded versions.
final class VersionFormat implements ValueFormat {
  static final VersionFormat PLAIN = new VersionFormat();

  private VersionFormat() {}

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
    return Versions.decode(term);
  }

  @Override
  public BytesRef toTerm(JsonNode value) {
    return Versions.encode(value.asText());
  }

  @Override
  public boolean showsText() {
    return false;
  }
}
