package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A number that a pipeline computed; it is made after all merges, and does not travel.
///
/// @param value NaN for none
public record SimpleValue(String typeName, double value, DisplayFormat shown)
    implements ComputedPartial {
  public static SimpleValue of(@Nullable Double value, DisplayFormat shown) {
    return new SimpleValue("simple_value", value == null ? Double.NaN : value, shown);
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    NumberRendering.write(out, "value", value, Double.isFinite(value), shown);
  }

  @Override
  public boolean isSingleNumber() {
    return true;
  }

  @Override
  public double metric(String property) {
    return value;
  }
}
