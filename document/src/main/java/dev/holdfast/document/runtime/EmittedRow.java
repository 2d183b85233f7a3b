package dev.holdfast.document.runtime;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.script.TimeText;
import dev.holdfast.script.value.GeoPoint;
import dev.holdfast.world.Refusal;
import java.lang.reflect.Array;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// What a script made for one document, as doc values of a field. Used again for the next.
final class EmittedRow {
  private final ValuesKind kind;
  private final ValueFormat format;
  private long[] numbers = new long[4];
  private int size;
  private final List<BytesRef> terms = new ArrayList<>();

  EmittedRow(FieldType type) {
    kind = type.values();
    format = type.format(null, null);
  }

  void clear() {
    size = 0;
    if (!terms.isEmpty()) {
      terms.clear();
    }
  }

  /// How many numbers, or terms.
  int size() {
    return kind.hasOrdinals() ? terms.size() : size;
  }

  long number(int index) {
    return numbers[index];
  }

  List<BytesRef> terms() {
    return terms;
  }

  /// Numbers are ascending from here on.
  void sort() {
    if (size > 1) {
      Arrays.sort(numbers, 0, size);
    }
  }

  /// A number as doc values have it.
  void number(long docValue) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * size);
    }
    numbers[size++] = docValue;
  }

  /// A number that was emitted.
  ///
  /// @param bits a long, or those of a double
  void bits(long bits) {
    number(
        kind.isFloating()
            ? NumericUtils.doubleToSortableLong(Double.longBitsToDouble(bits))
            : bits);
  }

  void point(double lat, double lon) {
    number(
        ((long) GeoEncodingUtils.encodeLatitude(lat) << 32)
            | (GeoEncodingUtils.encodeLongitude(lon) & 0xFFFFFFFFL));
  }

  /// A term that was emitted, or the text of an address.
  ///
  /// @throws Refusal 400 when it is no address
  void text(String text) {
    terms.add(format.toTerm(TextNode.valueOf(text)));
  }

  /// Whatever a script gave: several values, or one that is none when it is of another kind.
  void object(@Nullable Object value) {
    switch (value) {
      case null -> {}
      case Iterable<?> values -> values.forEach(this::object);
      case Map<?, ?> map when kind == ValuesKind.GEO_POINT -> place(map);
      case Object array when array.getClass().isArray() -> {
        for (int i = 0; i < Array.getLength(array); i++) {
          object(Array.get(array, i));
        }
      }
      default -> {
        try {
          one(value);
        } catch (Refusal | NumberFormatException malformed) {
          return; // as Elasticsearch: no value
        }
      }
    }
  }

  private void place(Map<?, ?> map) {
    if (map.get("lat") instanceof Number lat && map.get("lon") instanceof Number lon) {
      point(lat.doubleValue(), lon.doubleValue());
    }
  }

  private void one(Object value) {
    switch (kind) {
      case KEYWORD, IP ->
          text(value instanceof ZonedDateTime at ? TimeText.of(at) : String.valueOf(value));
      case BOOLEAN ->
          number(
              value instanceof Boolean is
                  ? is ? 1 : 0
                  : value instanceof Number n
                      ? n.doubleValue() == 0 ? 0 : 1
                      : format.toDocValue(TextNode.valueOf(value.toString()), false, 0));
      case GEO_POINT -> {
        if (value instanceof GeoPoint(double lat, double lon)) {
          point(lat, lon);
        } else {
          String[] parts = value.toString().split(",", 2);
          point(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
        }
      }
      case DOUBLE ->
          number(
              NumericUtils.doubleToSortableLong(
                  switch (value) {
                    case Number n -> n.doubleValue();
                    case Boolean is -> is ? 1 : 0;
                    case ZonedDateTime at -> at.toInstant().toEpochMilli();
                    default -> Double.parseDouble(value.toString());
                  }));
      default ->
          number(
              switch (value) {
                case Number n -> n.longValue();
                case Boolean is -> is ? 1 : 0;
                case ZonedDateTime at -> at.toInstant().toEpochMilli();
                default ->
                    kind.isDate()
                        ? format.toDocValue(TextNode.valueOf(value.toString()), false, 0)
                        : (long) Double.parseDouble(value.toString());
              });
    }
  }
}
