package dev.holdfast.query.aggregation.bucket.histogram;

import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.date.Rounding;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PlainFormat;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/// Buckets of a date field by the finest unit of time that needs at most so many.
///
/// @param buckets how many at most
/// @param finest place in [#UNITS] of the finest unit allowed
public record AutoDateHistogram(
    Label label, FieldRequest field, int buckets, int finest, AggregationTree children)
    implements Aggregation {
  private static final int BUCKETS_DEFAULT = 10;

  static final List<Unit> UNITS =
      List.of(
          new Unit("second", "s", List.of(1, 5, 10, 30)),
          new Unit("minute", "m", List.of(1, 5, 10, 30)),
          new Unit("hour", "h", List.of(1, 3, 12)),
          new Unit("day", "d", List.of(1, 7)),
          new Unit("month", "M", List.of(1, 3)),
          new Unit("year", "y", List.of(1, 5, 10, 20, 50, 100)));

  /// @param multiples how many units a bucket may span
  record Unit(String name, String letter, List<Integer> multiples) {
    int mostMultiple() {
      return multiples.getLast();
    }
  }

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    int buckets = body.integer("buckets", BUCKETS_DEFAULT);
    if (buckets < 1) {
      throw Refusal.badArgument(
          "buckets must be greater than 0 for [" + definition.label().name() + "]");
    }
    int most = Reduction.BUCKETS_MAX / UNITS.getLast().mostMultiple();
    if (buckets > most) {
      throw Refusal.badArgument("buckets must be less than " + most);
    }
    return new AutoDateHistogram(
        definition.label(), field, buckets, finest(body), definition.children());
  }

  private static int finest(JsonObject body) {
    String name = body.string("minimum_interval");
    if (name == null) {
      return 0;
    }
    for (int i = 0; i < UNITS.size(); i++) {
      if (UNITS.get(i).name.equals(name)) {
        return i;
      }
    }
    throw Refusal.badArgument(
        "minimum_interval must be one of [year, month, day, hour, minute, second]");
  }

  Rounding rounding(int unit) {
    ZoneId zone = field.zone();
    return Rounding.calendar(UNITS.get(unit).name, zone == null ? ZoneOffset.UTC : zone, 0);
  }

  /// More buckets of a unit than this, and the next unit is due.
  int bucketsMax(int unit) {
    return unit == UNITS.size() - 1 ? Integer.MAX_VALUE : buckets * UNITS.get(unit).mostMultiple();
  }

  /// The first unit from one on that needs few enough buckets for all from the first time to the
  /// last.
  int fitting(int fromUnit, long firstMillis, long lastMillis) {
    int fitting = fromUnit;
    while (fitting < UNITS.size() - 1) {
      Rounding rounding = rounding(fitting);
      long last = rounding.round(lastMillis);
      long limit = bucketsMax(fitting);
      long needed = 0;
      for (long key = rounding.round(firstMillis);
          key <= last && needed <= limit;
          key = rounding.next(key)) {
        needed++;
      }
      if (needed <= limit) {
        return fitting;
      }
      fitting++;
    }
    return fitting;
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field.bindDate(context);
    ValuesKind kind = bound.kind();
    if (!kind.isDate() && kind != ValuesKind.LONG && !kind.isFloating()) {
      throw field.unsupported(bound);
    }
    return new AutoDateCollecting(this, bound, children.group(context));
  }

  @Override
  public Partial empty() {
    return new AutoDatePartial(this, finest, 1, List.of(), DisplayFormat.plain(PlainFormat.LONG));
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return AutoDatePartial.read(in, this);
  }
}
