package dev.holdfast.document.field.range;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.Arrays;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Terms that are ranges, shown as `from : to`; numbers are their ends.
record RangeFormat(RangeKind kind, @Nullable String pattern, @Nullable ZoneId zone)
    implements ValueFormat {
  private ValueFormat ends() {
    return kind.ends(pattern, zone);
  }

  @Override
  public double toDouble(long docValue) {
    return ends().toDouble(docValue);
  }

  @Override
  public Object toKey(long docValue) {
    return ends().toKey(docValue);
  }

  @Override
  public String toText(long docValue) {
    return ends().toText(docValue);
  }

  @Override
  public String toText(double number) {
    return ends().toText(number);
  }

  @Override
  public long toDocValue(JsonNode value, boolean roundUp, long nowMillis) {
    return ends().toDocValue(value, roundUp, nowMillis);
  }

  @Override
  public String toText(BytesRef term) {
    byte[] ends = Arrays.copyOfRange(term.bytes, term.offset, term.offset + term.length);
    return end(ends, 0) + " : " + end(ends, kind.bytes());
  }

  private String end(byte[] ends, int offset) {
    Object shown = kind.shown(ends, offset, pattern);
    return shown == null ? "*" : shown.toString();
  }

  @Override
  public BytesRef toTerm(JsonNode value) {
    throw Refusal.badArgument("a range can't be given as [" + value.asText() + "]");
  }

  @Override
  public boolean showsText() {
    return ends().showsText();
  }
}
