package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.world.Refusal;
import java.io.IOException;

/// Count, extremes, mean and sum of a numeric field.
public enum Stats implements MomentMetric.Figure {
  FIGURE;

  public static Aggregation parse(Definition definition) {
    return new MomentMetric(definition.label(), FieldRequest.parse(definition.body()), FIGURE);
  }

  @Override
  public String typeName() {
    return "stats";
  }

  @Override
  public MomentNeeds needs() {
    return MomentNeeds.SUM_AND_EXTREMES;
  }

  @Override
  public void render(Moments moments, DisplayFormat shown, JsonGenerator out) throws IOException {
    write(moments, shown, out);
  }

  static void write(Moments moments, DisplayFormat shown, JsonGenerator out) throws IOException {
    out.writeNumberField("count", moments.count());
    if (moments.count() == 0) {
      out.writeNullField("min");
      out.writeNullField("max");
      out.writeNullField("avg");
      out.writeNumberField("sum", 0.0);
      return;
    }
    out.writeNumberField("min", moments.min());
    out.writeNumberField("max", moments.max());
    out.writeNumberField("avg", moments.average());
    out.writeNumberField("sum", moments.total());
    if (shown.showsText()) {
      writeText(out, "min_as_string", moments.min(), shown);
      writeText(out, "max_as_string", moments.max(), shown);
      writeText(out, "avg_as_string", moments.average(), shown);
      writeText(out, "sum_as_string", moments.total(), shown);
    }
  }

  /// Booleans are shown as JSON booleans here, unlike elsewhere.
  private static void writeText(JsonGenerator out, String name, double number, DisplayFormat shown)
      throws IOException {
    if (shown.kind() == ValuesKind.BOOLEAN) {
      out.writeBooleanField(name, number != 0);
    } else {
      out.writeStringField(name, shown.format().toText(number));
    }
  }

  @Override
  public boolean isSingle() {
    return false;
  }

  @Override
  public double metric(Moments moments, String property) {
    return figure(moments, property);
  }

  static double figure(Moments moments, String property) {
    return switch (property) {
      case "count" -> moments.count();
      case "min" -> moments.min();
      case "max" -> moments.max();
      case "avg" -> moments.average();
      case "sum" -> moments.total();
      default ->
          throw Refusal.badArgument(
              "Unknown value key ["
                  + property
                  + "] for multi-value metric aggregation. Must be one of"
                  + " [count, min, max, avg, sum]");
    };
  }
}
