package dev.holdfast.document.field.range;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType.Range;
import dev.holdfast.document.FieldType.Relation;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.field.number.NumberFormat;
import dev.holdfast.document.field.number.NumberKind;
import dev.holdfast.document.scan.TreeValue;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.OptionalLong;
import org.apache.lucene.document.IntRange;
import org.apache.lucene.document.LongRange;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// Ranges of numbers; fractions as their sortable bits, as Lucene's `FloatRange` and `DoubleRange`.
///
/// @param coerces whether the ends in documents may be strings, and fractions of whole numbers
record NumberRangeKind(NumberKind kind, boolean coerces) implements RangeKind {
  @Override
  public int bytes() {
    return kind.pointBytes();
  }

  @Override
  public boolean read(Range range, boolean isQuery, long nowMillis, byte[] to) {
    return isQuery ? readOfQuery(range, to) : readOfDocument(range, to);
  }

  /// Ends of documents are values of the kind: those that its fields refuse are refused, and
  /// fractions are cut before the next number is taken.
  private boolean readOfDocument(Range range, byte[] to) {
    JsonNode from = range.from();
    JsonNode until = range.to();
    long least = from == null ? least() : kind.read(new TreeValue(from), coerces);
    long greatest = until == null ? greatest() : kind.read(new TreeValue(until), coerces);
    boolean isAfter = from != null && !range.isFromInclusive();
    boolean isBefore = until != null && !range.isToInclusive();
    if ((isAfter && least == greatest()) || (isBefore && greatest == least())) {
      return false;
    }
    least += isAfter ? 1 : 0;
    greatest -= isBefore ? 1 : 0;
    if (least > greatest) {
      return false;
    }
    put(least, to, 0);
    put(greatest, to, bytes());
    return true;
  }

  private boolean readOfQuery(Range range, byte[] to) {
    JsonNode from = range.from();
    JsonNode until = range.to();
    requireSensible(from, until);
    OptionalLong least =
        from == null ? OptionalLong.of(least()) : kind.lower(from, range.isFromInclusive());
    OptionalLong greatest =
        until == null ? OptionalLong.of(greatest()) : kind.upper(until, range.isToInclusive());
    if (least.isEmpty() || greatest.isEmpty() || least.getAsLong() > greatest.getAsLong()) {
      return false;
    }
    put(least.getAsLong(), to, 0);
    put(greatest.getAsLong(), to, bytes());
    return true;
  }

  private void requireSensible(@Nullable JsonNode from, @Nullable JsonNode until) {
    requireWhole(from);
    requireWhole(until);
    if (from != null && until != null) {
      OptionalLong least = kind.lower(from, true);
      OptionalLong greatest = kind.upper(until, true);
      boolean isOrdered =
          least.isEmpty() || greatest.isEmpty() || least.getAsLong() <= greatest.getAsLong();
      RangeKind.requireOrder(isOrdered, from.asText(), until.asText());
    }
  }

  private void requireWhole(@Nullable JsonNode end) {
    if (end != null
        && !kind.valuesKind().isFloating()
        && end.isNumber()
        && end.asDouble() % 1 != 0) {
      throw Refusal.badArgument("Value [" + end.asText() + "] has a decimal part");
    }
  }

  /// For fractions these are not a number: below and above all of them.
  private long least() {
    return bytes() == Integer.BYTES ? Integer.MIN_VALUE : Long.MIN_VALUE;
  }

  private long greatest() {
    return bytes() == Integer.BYTES ? Integer.MAX_VALUE : Long.MAX_VALUE;
  }

  private void put(long value, byte[] to, int offset) {
    if (bytes() == Integer.BYTES) {
      NumericUtils.intToSortableBytes((int) value, to, offset);
    } else {
      NumericUtils.longToSortableBytes(value, to, offset);
    }
  }

  static long end(byte[] ends, int offset, int bytes) {
    return bytes == Integer.BYTES
        ? NumericUtils.sortableBytesToInt(ends, offset)
        : NumericUtils.sortableBytesToLong(ends, offset);
  }

  @Override
  public void readText(String text, byte[] to) {
    throw Refusal.badArgument("error parsing field, expected an object but got " + text);
  }

  @Override
  public Query query(String field, byte[] ends, Relation relation) {
    return query(field, end(ends, 0, bytes()), end(ends, bytes(), bytes()), bytes(), relation);
  }

  static Query query(String field, long from, long to, int bytes, Relation relation) {
    if (bytes == Integer.BYTES) {
      int[] least = {(int) from};
      int[] greatest = {(int) to};
      return switch (relation) {
        case INTERSECTS -> IntRange.newIntersectsQuery(field, least, greatest);
        case CONTAINS -> IntRange.newContainsQuery(field, least, greatest);
        case WITHIN -> IntRange.newWithinQuery(field, least, greatest);
      };
    }
    long[] least = {from};
    long[] greatest = {to};
    return switch (relation) {
      case INTERSECTS -> LongRange.newIntersectsQuery(field, least, greatest);
      case CONTAINS -> LongRange.newContainsQuery(field, least, greatest);
      case WITHIN -> LongRange.newWithinQuery(field, least, greatest);
    };
  }

  @Override
  public @Nullable Object shown(byte[] ends, int offset, @Nullable String pattern) {
    long end = end(ends, offset, bytes());
    return end == least() || end == greatest() ? null : kind.toKey(end);
  }

  @Override
  public ValueFormat ends(@Nullable String pattern, @Nullable ZoneId zone) {
    return new NumberFormat(kind, pattern);
  }
}
