package dev.holdfast.document.field.range;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType.Range;
import dev.holdfast.document.FieldType.Relation;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.document.field.date.DateUnit;
import dev.holdfast.document.field.date.DateValueFormat;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// Ranges of instants, in milliseconds.
record DateRangeKind(DateFormat format) implements RangeKind {
  @Override
  public int bytes() {
    return Long.BYTES;
  }

  @Override
  public boolean read(Range range, boolean isQuery, long nowMillis, byte[] to) {
    DateFormat by = range.format() == null ? format : DateFormat.of(range.format());
    boolean isFrom = range.isFromInclusive();
    boolean isTo = range.isToInclusive();
    JsonNode from = range.from();
    JsonNode until = range.to();
    long least =
        from == null ? Long.MIN_VALUE : instant(by, from, range, isQuery && !isFrom, nowMillis);
    long greatest =
        until == null ? Long.MAX_VALUE : instant(by, until, range, isQuery && isTo, nowMillis);
    if (isQuery && from != null && until != null) {
      RangeKind.requireOrder(least <= greatest, least, greatest);
    }
    least += from == null || isFrom ? 0 : 1;
    greatest -= until == null || isTo ? 0 : 1;
    NumericUtils.longToSortableBytes(least, to, 0);
    NumericUtils.longToSortableBytes(greatest, to, Long.BYTES);
    return least <= greatest;
  }

  private static long instant(
      DateFormat by, JsonNode value, Range range, boolean roundUp, long nowMillis) {
    return by.parseMillis(value.asText(), range.zone(), roundUp, nowMillis);
  }

  @Override
  public void readText(String text, byte[] to) {
    throw Refusal.badArgument("error parsing field, expected an object but got " + text);
  }

  @Override
  public Query query(String field, byte[] ends, Relation relation) {
    return NumberRangeKind.query(
        field,
        NumberRangeKind.end(ends, 0, Long.BYTES),
        NumberRangeKind.end(ends, Long.BYTES, Long.BYTES),
        Long.BYTES,
        relation);
  }

  @Override
  public @Nullable Object shown(byte[] ends, int offset, @Nullable String pattern) {
    long millis = NumberRangeKind.end(ends, offset, Long.BYTES);
    return millis == Long.MIN_VALUE || millis == Long.MAX_VALUE
        ? null
        : new DateValueFormat(format.withPattern(pattern), DateUnit.MILLIS, null).toText(millis);
  }

  @Override
  public ValueFormat ends(@Nullable String pattern, @Nullable ZoneId zone) {
    return new DateValueFormat(format.withPattern(pattern), DateUnit.MILLIS, zone);
  }
}
