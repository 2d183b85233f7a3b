package dev.holdfast.query.aggregation.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import org.apache.lucene.util.BytesRef;

/// Instants in nanoseconds as Elasticsearch's aggregations compute with them and show them: to the
/// millisecond.
record MillisOfNanos(ValueFormat inner) implements ValueFormat {
  private static final long NANOS_PER_MILLI = 1_000_000;

  @Override
  public double toDouble(long docValue) {
    return Math.floorDiv(docValue, NANOS_PER_MILLI);
  }

  @Override
  public Object toKey(long docValue) {
    return inner.toKey(docValue);
  }

  @Override
  public String toText(long docValue) {
    return inner.toText(docValue - Math.floorMod(docValue, NANOS_PER_MILLI));
  }

  @Override
  public String toText(double number) {
    return inner.toText(number);
  }

  @Override
  public String toText(BytesRef term) {
    return inner.toText(term);
  }

  @Override
  public long toDocValue(JsonNode value, boolean roundUp, long nowMillis) {
    return inner.toDocValue(value, roundUp, nowMillis);
  }

  @Override
  public BytesRef toTerm(JsonNode value) {
    return inner.toTerm(value);
  }

  @Override
  public boolean showsText() {
    return inner.showsText();
  }
}
