package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.TermValues;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.script.value.Booleans;
import dev.holdfast.script.value.Dates;
import dev.holdfast.script.value.DocValuesOfField;
import dev.holdfast.script.value.DocumentValues;
import dev.holdfast.script.value.Doubles;
import dev.holdfast.script.value.GeoPoint;
import dev.holdfast.script.value.Longs;
import dev.holdfast.script.value.Numbers;
import dev.holdfast.script.value.PlacesOfField;
import dev.holdfast.script.value.Strings;
import dev.holdfast.script.value.Texts;
import dev.holdfast.script.value.UnsignedLongs;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// Opens the columns of a segment for scripts, `doc['field']`.
///
/// @param index its name, for messages
public record ScriptColumns(LeafReader segment, Mapping mapping, String index)
    implements DocumentValues.Opening {
  private static final long MILLIS_PER_SECOND = 1000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  @Override
  public @Nullable DocValuesOfField<?> open(String field) {
    try {
      return values(field);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private @Nullable DocValuesOfField<?> values(String field) throws IOException {
    if (field.equals(MetadataFields.SEQ_NO) || field.equals(MetadataFields.VERSION)) {
      return new Longs(numbers(DocValues.getSortedNumeric(segment, field)));
    }
    MappedField mapped = mapping.field(field);
    if (mapped == null) {
      return null;
    }
    FieldType type = mapped.type();
    if (type.isConstant()) {
      return new Strings(constant(type.constant()));
    }
    ValuesKind kind = type.values();
    if (kind.hasOrdinals() && kind != ValuesKind.RANGE) {
      ValueFormat format = type.format(null, null);
      return new Strings(texts(TermValues.repeated(segment, mapped.path()), format));
    }
    if (type.vectors() != null) {
      return SegmentVectors.of(segment, mapped.path(), type);
    }
    if (!kind.isNumeric() && kind != ValuesKind.GEO_POINT) {
      throw noValues(field, type);
    }
    return of(type, numbers(DocValues.getSortedNumeric(segment, mapped.path())));
  }

  /// Numbers of a column as scripts see them.
  static DocValuesOfField<?> of(FieldType type, Numbers numbers) {
    return switch (type.values()) {
      case LONG -> new Longs(numbers);
      case BOOLEAN -> new Booleans(numbers);
      case DATE_MILLIS -> new Dates(numbers, ScriptColumns::ofMillis);
      case DATE_NANOS -> new Dates(numbers, ScriptColumns::ofNanos);
      case UNSIGNED_LONG -> new UnsignedLongs(numbers, flipped -> flipped ^ Long.MIN_VALUE);
      case GEO_POINT -> new PlacesOfField(numbers, ScriptColumns::point);
      case DOUBLE -> new Doubles(numbers, NumericUtils::sortableLongToDouble);
      default -> {
        ValueFormat format = type.format(null, null);
        yield new Doubles(numbers, format::toDouble);
      }
    };
  }

  private Refusal noValues(String field, FieldType type) {
    return Refusal.badArgument(
        type.typeName().equals("text")
            ? "Fielddata is disabled on ["
                + field
                + "] in ["
                + index
                + "]. Text fields are not optimised for operations that require per-document field"
                + " data like aggregations and sorting, so these operations are disabled by"
                + " default. Please use a keyword field instead. Alternatively, set fielddata=true"
                + " on ["
                + field
                + "] in order to load field data by uninverting the inverted index. Note that this"
                + " can use significant memory."
            : "Can't load fielddata on ["
                + field
                + "] because fielddata is unsupported on fields of type ["
                + type.typeName()
                + "]. Use doc values instead.");
  }

  private static ZonedDateTime ofMillis(long millis) {
    return utc(
        Math.floorDiv(millis, MILLIS_PER_SECOND),
        (int) (Math.floorMod(millis, MILLIS_PER_SECOND) * NANOS_PER_MILLI));
  }

  private static ZonedDateTime ofNanos(long nanos) {
    return utc(
        Math.floorDiv(nanos, NANOS_PER_SECOND), (int) Math.floorMod(nanos, NANOS_PER_SECOND));
  }

  /// An offset that is the zone needs no rules of zones.
  private static ZonedDateTime utc(long seconds, int nanos) {
    return ZonedDateTime.ofLocal(
        LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC), ZoneOffset.UTC, null);
  }

  private static GeoPoint point(long encoded) {
    return new GeoPoint(
        GeoEncodingUtils.decodeLatitude((int) (encoded >> 32)),
        GeoEncodingUtils.decodeLongitude((int) encoded));
  }

  static Numbers numbers(SortedNumericDocValues values) {
    NumericDocValues single = DocValues.unwrapSingleton(values);
    return single == null ? new Several(values) : new One(single);
  }

  private record One(NumericDocValues values) implements Numbers {
    @Override
    public int count(int doc) throws IOException {
      return values.advanceExact(doc) ? 1 : 0;
    }

    @Override
    public long next() throws IOException {
      return values.longValue();
    }
  }

  private record Several(SortedNumericDocValues values) implements Numbers {
    @Override
    public int count(int doc) throws IOException {
      return values.advanceExact(doc) ? values.docValueCount() : 0;
    }

    @Override
    public long next() throws IOException {
      return values.nextValue();
    }
  }

  private static Texts constant(@Nullable String value) {
    return new Texts() {
      @Override
      public int count(int doc) {
        return value == null ? 0 : 1;
      }

      @Override
      public String next() {
        return Objects.requireNonNull(value);
      }
    };
  }

  static Texts texts(SortedSetDocValues values, ValueFormat format) {
    return new Texts() {
      @Override
      public int count(int doc) throws IOException {
        return values.advanceExact(doc) ? values.docValueCount() : 0;
      }

      @Override
      public String next() throws IOException {
        return format.toText(values.lookupOrd(values.nextOrd()));
      }
    };
  }
}
