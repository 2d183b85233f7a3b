package dev.holdfast.query.aggregation.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;

/// Values without a field of their own: longs, doubles or terms just as they are.
public enum PlainFormat implements ValueFormat {
  LONG,
  DOUBLE,
  TERM;

  @Override
  public double toDouble(long docValue) {
    return this == DOUBLE ? NumericUtils.sortableLongToDouble(docValue) : docValue;
  }

  @Override
  public Object toKey(long docValue) {
    if (this == DOUBLE) {
      return toDouble(docValue);
    }
    return docValue;
  }

  @Override
  public String toText(long docValue) {
    return toKey(docValue).toString();
  }

  @Override
  public String toText(double number) {
    return Double.toString(number);
  }

  @Override
  public String toText(BytesRef term) {
    return term.utf8ToString();
  }

  @Override
  public long toDocValue(JsonNode value, boolean roundUp, long nowMillis) {
    try {
      return this == DOUBLE
          ? NumericUtils.doubleToSortableLong(
              value.isNumber() ? value.doubleValue() : Double.parseDouble(value.asText()))
          : value.isNumber() ? value.longValue() : Long.parseLong(value.asText());
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.NUMBER_FORMAT, "For input string: \"" + value.asText() + "\"", e);
    }
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
