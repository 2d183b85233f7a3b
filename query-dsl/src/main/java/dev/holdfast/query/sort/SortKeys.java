package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.jspecify.annotations.Nullable;

/// Binds sorts to an index.
public final class SortKeys {
  /// What an unmapped field may be taken for, beside texts.
  private static final Set<String> NUMBERS =
      Set.of(
          "boolean",
          "byte",
          "date",
          "date_nanos",
          "double",
          "float",
          "half_float",
          "integer",
          "long",
          "scaled_float",
          "short",
          "token_count",
          "unsigned_long");

  /// Types that Elasticsearch sorts in 32 bits.
  private static final Set<String> INTS = Set.of("byte", "integer", "short", "token_count");

  private SortKeys() {}

  public static List<SortKey> bind(List<SortSpec> specs, QueryContext context) throws IOException {
    List<SortKey> keys = new ArrayList<>(specs.size());
    for (SortSpec spec : specs) {
      keys.add(bind(spec, context));
    }
    return keys;
  }

  private static SortKey bind(SortSpec given, QueryContext context) throws IOException {
    SortSpec spec = given.at(context.path(given.field()));
    if (spec.isScore()) {
      // Lucene's own direction for scores is descending.
      return new SortKey.Score(new SortField(null, SortField.Type.SCORE, !spec.isDescending()));
    }
    if (spec.isDoc()) {
      return new SortKey.Doc(new SortField(null, SortField.Type.DOC, spec.isDescending()));
    }
    if (spec.isShardDoc()) {
      return new SortKey.ShardDoc(
          new SortField(null, SortField.Type.DOC, spec.isDescending()), context.ordinal());
    }
    if (spec.script() != null) {
      return ScriptKey.of(spec, spec.script(), context);
    }
    DistanceSort distance = spec.distance();
    if (distance != null) {
      return distance.bind(spec, context);
    }
    if (spec.field().equals(MetadataFields.INDEX)) {
      return TermKey.constant(spec, context.index());
    }
    FieldType type = context.type(spec.field());
    if (type == null) {
      return unmapped(spec);
    }
    NestedSort nested = spec.nested();
    if (nested == null) {
      NestedSort.requireNone(spec.field(), context);
    }
    NestedChildren objects = nested == null ? null : nested.bind(context);
    ValuesKind kind = type.values();
    if (kind == ValuesKind.RANGE) {
      throw Refusal.badArgument("Sorting by range field [" + spec.field() + "] is not supported");
    }
    NumericCast cast = spec.numericType();
    if (cast != null && !kind.isNumeric()) {
      throw new Refusal(
          ErrorType.QUERY_SHARD,
          "[numeric_type] option cannot be set on a non-numeric field, got " + type.typeName());
    }
    String constant = type.constant();
    if (constant != null) {
      return TermKey.constant(spec, constant);
    }
    if (kind.hasOrdinals() || type.isConstant()) {
      return TermKey.of(spec, type.format(spec.format(), null), type.isVirtual(), objects);
    }
    if (kind == ValuesKind.BINARY && objects == null) {
      return TermKey.ofBytes(spec, type.format(spec.format(), null));
    }
    if (!kind.isNumeric()) {
      throw unsortable(spec.field(), type, context);
    }
    ValueFormat format = type.format(spec.format(), null);
    if (!kind.isDate()) {
      requireNoFormat(spec);
    }
    if (cast != null) {
      return CastKey.of(spec, cast, kind, format, objects);
    }
    return objects == null
            && (spec.mode() == null
                || spec.mode() == SortSpec.Mode.MIN
                || spec.mode() == SortSpec.Mode.MAX)
        ? number(spec, type, format, context)
        : ComputedKey.of(spec, kind, format, isInt(type.typeName()), objects);
  }

  private static SortKey unmapped(SortSpec spec) {
    String type = spec.unmappedType();
    if (type == null) {
      throw new Refusal(
          ErrorType.QUERY_SHARD, "No mapping found for [" + spec.field() + "] in order to sort on");
    }
    return switch (type) {
      case "keyword",
          "string",
          "text",
          "ip",
          "version",
          "wildcard",
          "constant_keyword",
          "flattened" ->
          new TermKey(TermKey.field(spec, false, null), null);
      default -> {
        if (!NUMBERS.contains(type)) {
          throw Refusal.badArgument("No mapper found for type [" + type + "]");
        }
        if (!type.startsWith("date")) {
          requireNoFormat(spec);
        }
        SortedNumericSortField field =
            new SortedNumericSortField(
                spec.field(), SortField.Type.LONG, spec.isDescending(), selector(spec));
        long missing = missingRaw(spec, false);
        field.setMissingValue(missing);
        yield new NumberKey(
            field, ValuesKind.LONG, null, spec.format() != null, false, isInt(type), missing);
      }
    };
  }

  /// Numbers are shown as they are, whatever their `format`.
  private static void requireNoFormat(SortSpec spec) {
    if (spec.format() != null) {
      throw Refusal.badArgument("require a date_time formatter; got [decimal]");
    }
  }

  /// Whether numbers of that type are sorted in 32 bits, as Elasticsearch does.
  private static boolean isInt(String type) {
    return INTS.contains(type);
  }

  private static SortKey number(
      SortSpec spec, FieldType type, ValueFormat format, QueryContext context) throws IOException {
    ValuesKind kind = type.values();
    boolean isNarrow = isInt(type.typeName());
    int pointBytes = pointBytes(spec.field(), context);
    boolean isInt = pointBytes == Integer.BYTES;
    SortedNumericSortField field =
        new NumericField(spec.field(), pointBytes, spec.isDescending(), selector(spec));
    JsonNode value = spec.missingValue();
    Long substitute = null;
    long missing;
    if (value == null) {
      missing = missingRaw(spec, isInt);
      substitute = missing;
    } else {
      missing =
          kind.isDate() || kind == ValuesKind.BOOLEAN
              ? MissingNumber.of(value)
              : format.toDocValue(value, false, context.nowMillis());
    }
    if (isInt) {
      field.setMissingValue(Math.clamp(missing, Integer.MIN_VALUE, Integer.MAX_VALUE));
    } else {
      field.setMissingValue(missing);
    }
    return new NumberKey(field, kind, format, spec.format() != null, isInt, isNarrow, substitute);
  }

  /// What stands for no value, so that it comes first or last.
  static long missingRaw(SortSpec spec, boolean isInt) {
    boolean isGreatest = spec.isMissingFirst() == spec.isDescending();
    if (isInt) {
      return isGreatest ? Integer.MAX_VALUE : Integer.MIN_VALUE;
    }
    return isGreatest ? Long.MAX_VALUE : Long.MIN_VALUE;
  }

  private static SortedNumericSelector.Type selector(SortSpec spec) {
    boolean isMax = spec.mode() == null ? spec.isDescending() : spec.mode() == SortSpec.Mode.MAX;
    return isMax ? SortedNumericSelector.Type.MAX : SortedNumericSelector.Type.MIN;
  }

  /// Bytes of the field's points, with which Lucene skips documents that can't compete; 0 when it
  /// has none.
  private static int pointBytes(String field, QueryContext context) throws IOException {
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      PointValues points = leaf.reader().getPointValues(field);
      if (points != null) {
        return points.getBytesPerDimension();
      }
    }
    return 0;
  }

  private static Refusal unsortable(String field, FieldType type, QueryContext context) {
    if (type.searchAnalyzer() != null) {
      return Refusal.badArgument(
          "Fielddata is disabled on ["
              + field
              + "] in ["
              + context.index()
              + "]. Text fields are not optimised for operations that require per-document field"
              + " data like aggregations and sorting, so these operations are disabled by default."
              + " Please use a keyword field instead. Alternatively, set fielddata=true on ["
              + field
              + "] in order to load field data by uninverting the inverted index. Note that this"
              + " can use significant memory.");
    }
    return Refusal.badArgument(
        type.values() == ValuesKind.NONE
            ? "Can't load fielddata on ["
                + field
                + "] because fielddata is unsupported on fields of type ["
                + type.typeName()
                + "]. Use doc values instead."
            : "can't sort on field [" + field + "] of type [" + type.typeName() + "]");
  }

  /// Lucene's numeric sort over the doc values' own bits, whose order is the order of the values
  /// for every kind. It skips by points only where their width is one that Lucene's comparators
  /// know.
  public static final class NumericField extends SortedNumericSortField {
    private final int pointBytes;

    /// @param pointBytes 0 for a field without points
    NumericField(
        String field, int pointBytes, boolean reverse, SortedNumericSelector.Type selector) {
      super(field, pointBytes == Integer.BYTES ? Type.INT : Type.LONG, reverse, selector);
      this.pointBytes = pointBytes;
    }

    /// Of the width that Lucene compares; 0 for a field without such points.
    public int pointBytes() {
      return hasKnownWidth() ? pointBytes : 0;
    }

    private boolean hasKnownWidth() {
      return pointBytes == Integer.BYTES || pointBytes == Long.BYTES;
    }

    @Override
    public FieldComparator<?> getComparator(int numHits, Pruning pruning) {
      return super.getComparator(
          numHits, hasKnownWidth() || pointBytes == 0 ? pruning : Pruning.NONE);
    }

    /// Equal to the plain field that an index is sorted by, too: Lucene asks so whether a search
    /// may stop early.
    @Override
    @SuppressWarnings("EqualsGetClass")
    public boolean equals(@Nullable Object other) {
      if (other != null && other.getClass() == SortedNumericSortField.class) {
        SortedNumericSortField that = (SortedNumericSortField) other;
        return Objects.equals(getField(), that.getField())
            && getNumericType() == that.getNumericType()
            && getReverse() == that.getReverse()
            && getSelector() == that.getSelector()
            && Objects.equals(getMissingValue(), that.getMissingValue());
      }
      return super.equals(other);
    }

    @Override
    public int hashCode() {
      return super.hashCode();
    }
  }
}
