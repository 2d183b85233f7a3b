package dev.holdfast.query.script;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.TermValues;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.source.StoredDocument;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.type.Shape;
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
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.jspecify.annotations.Nullable;

/// A script compiled for a shard, which is given an instance of its own for each segment.
///
/// @param base the context's class
public record ScriptedShard<T>(
    ScriptSource script, Class<T> base, Constructor<?> compiled, QueryContext context) {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /// @throws Refusal `script_exception`, 400, when it does not compile
  public static <T> ScriptedShard<T> of(
      ScriptSource script, Shape shape, Class<T> base, QueryContext context) {
    return new ScriptedShard<>(script, base, Scripts.compiled(script, shape), context);
  }

  public T in(LeafReaderContext leaf) {
    DocumentValues values = values(context, leaf);
    return Scripts.instance(base, compiled, new LookupParams(script.params(), values), values);
  }

  /// The columns of a segment for scripts.
  public static DocumentValues values(QueryContext context, LeafReaderContext leaf) {
    return new DocumentValues(
        context.index() + context.shard() + "#" + leaf.ord,
        field -> {
          try {
            return open(context, leaf, field);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        doc -> source(context, leaf, doc));
  }

  static Map<String, Object> source(QueryContext context, LeafReaderContext leaf, int doc) {
    try {
      byte[] source =
          StoredDocument.whole(
                  context.searcher().getIndexReader(), context.mapping(), leaf.docBase + doc)
              .source();
      return source == null
          ? Map.of()
          : ScriptValues.map(Json.parseObject(source, 0, source.length));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable DocValuesOfField<?> open(
      QueryContext context, LeafReaderContext leaf, String field) throws IOException {
    if (field.equals(MetadataFields.SEQ_NO) || field.equals(MetadataFields.VERSION)) {
      return new Longs(numbers(DocValues.getSortedNumeric(leaf.reader(), field)));
    }
    FieldType type = context.type(field);
    if (type == null) {
      return null;
    }
    String path = context.path(field);
    ValuesKind kind = type.values();
    ValueFormat format = type.format(null, null);
    if (kind.hasOrdinals() && kind != ValuesKind.RANGE) {
      return new Strings(texts(TermValues.of(leaf.reader(), path), format));
    }
    if (!kind.isNumeric() && kind != ValuesKind.GEO_POINT) {
      throw noValues(context, field, type);
    }
    Numbers numbers = numbers(DocValues.getSortedNumeric(leaf.reader(), path));
    return switch (kind) {
      case LONG -> new Longs(numbers);
      case BOOLEAN -> new Booleans(numbers);
      case DATE_MILLIS -> new Dates(numbers, ScriptedShard::ofMillis);
      case DATE_NANOS -> new Dates(numbers, ScriptedShard::ofNanos);
      case UNSIGNED_LONG -> new UnsignedLongs(numbers, ScriptedShard::unsigned);
      case GEO_POINT -> new PlacesOfField(numbers, ScriptedShard::point);
      default -> new Doubles(numbers, format::toDouble);
    };
  }

  private static Refusal noValues(QueryContext context, String field, FieldType type) {
    return Refusal.badArgument(
        type.typeName().equals("text")
            ? "Fielddata is disabled on ["
                + field
                + "] in ["
                + context.index()
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
    return ZonedDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
  }

  private static ZonedDateTime ofNanos(long nanos) {
    return ZonedDateTime.ofInstant(
        Instant.ofEpochSecond(
            Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND)),
        ZoneOffset.UTC);
  }

  private static BigInteger unsigned(long flipped) {
    long bits = flipped ^ Long.MIN_VALUE;
    BigInteger value = BigInteger.valueOf(bits);
    return bits >= 0 ? value : value.add(BigInteger.ONE.shiftLeft(Long.SIZE));
  }

  private static GeoPoint point(long encoded) {
    return new GeoPoint(
        GeoEncodingUtils.decodeLatitude((int) (encoded >> 32)),
        GeoEncodingUtils.decodeLongitude((int) encoded));
  }

  private static Numbers numbers(SortedNumericDocValues values) {
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

  private static Texts texts(SortedSetDocValues values, ValueFormat format) {
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
