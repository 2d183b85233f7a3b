package dev.holdfast.document.mapping;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.world.Refusal;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.jspecify.annotations.Nullable;

/// The order in which an index keeps its documents (`index.sort.*`): each segment is sorted when it
/// is written and when it is merged, so that a search sorted alike may stop early. Indices of time
/// series are sorted by series, and by time, newest first.
public final class IndexSort {
  private static final String FIELD = "index.sort.field";
  private static final String ORDER = "index.sort.order";
  private static final String MODE = "index.sort.mode";
  private static final String MISSING = "index.sort.missing";

  /// Types whose points, and with them searches sorted by them, have 32 bits.
  private static final Set<String> NARROW =
      Set.of("byte", "short", "integer", "float", "token_count");

  private IndexSort() {}

  /// One key of the order.
  private record Key(String field, boolean isDescending, boolean isMax, boolean isMissingFirst) {
    boolean isMissingGreatest() {
      return isMissingFirst == isDescending;
    }
  }

  /// @param settings flat index settings
  /// @return null for an index that keeps the order of writing
  /// @throws Refusal `illegal_argument_exception` for what documents cannot be sorted by
  public static @Nullable Sort of(Mapping mapping, SortedMap<String, Object> settings) {
    if (TimeSeries.is(settings)) {
      Mapping _ = flat(mapping, settings);
      return new Sort(
          terms(new Key(MetadataFields.SERIES, false, false, false)),
          key(mapping, new Key("@timestamp", true, true, false)));
    }
    List<String> fields = values(settings, FIELD);
    for (String name : List.of(ORDER, MODE, MISSING)) {
      if (fields.isEmpty() && !values(settings, name).isEmpty()) {
        throw Refusal.badArgument(
            "setting [" + name + "] requires [index.sort.field] to be configured");
      }
    }
    if (fields.isEmpty()) {
      return null;
    }
    requireOutside(mapping, fields);
    Mapping _ = flat(mapping, settings);
    List<String> orders = sized(settings, ORDER, fields);
    List<String> modes = sized(settings, MODE, fields);
    List<String> missing = sized(settings, MISSING, fields);
    SortField[] keys = new SortField[fields.size()];
    for (int i = 0; i < keys.length; i++) {
      boolean isDescending = !orders.isEmpty() && isDescending(orders.get(i));
      boolean isMax = modes.isEmpty() ? isDescending : isMax(modes.get(i));
      boolean isFirst = !missing.isEmpty() && isFirst(missing.get(i));
      keys[i] = key(mapping, new Key(fields.get(i), isDescending, isMax, isFirst));
    }
    return new Sort(keys);
  }

  private static List<String> values(SortedMap<String, Object> settings, String name) {
    return switch (settings.get(name)) {
      case null -> List.of();
      case Collection<?> list -> list.stream().map(Object::toString).toList();
      case Object text when text.toString().isBlank() -> List.of();
      case Object text ->
          List.of(text.toString().split(",", -1)).stream().map(String::trim).toList();
    };
  }

  private static List<String> sized(
      SortedMap<String, Object> settings, String name, List<String> fields) {
    List<String> values = values(settings, name);
    if (!values.isEmpty() && values.size() != fields.size()) {
      throw Refusal.badArgument(
          "index.sort.field:" + fields + " " + name + ":" + values + ", size mismatch");
    }
    return values;
  }

  private static boolean isDescending(String order) {
    return switch (order.toLowerCase(Locale.ROOT)) {
      case "asc" -> false;
      case "desc" -> true;
      default -> throw Refusal.badArgument("Illegal sort order:" + order);
    };
  }

  private static boolean isMax(String mode) {
    return switch (mode.toLowerCase(Locale.ROOT)) {
      case "min" -> false;
      case "max" -> true;
      case "avg", "sum", "median" ->
          throw Refusal.badArgument(
              "Illegal index sort mode:["
                  + mode.toUpperCase(Locale.ROOT)
                  + "], must be one of [MAX, MIN]");
      default -> throw Refusal.badArgument("Illegal sort mode: " + mode);
    };
  }

  private static boolean isFirst(String missing) {
    return switch (missing) {
      case "_first" -> true;
      case "_last" -> false;
      default ->
          throw Refusal.badArgument(
              "Illegal missing value:[" + missing + "], must be one of [_last, _first]");
    };
  }

  /// Objects of a document lie beside it in one block, which a sort would tear apart.
  ///
  /// @return the mapping
  /// @throws Refusal when an index with a sort has nested objects
  static <M extends Mapping> M flat(M mapping, SortedMap<String, Object> settings) {
    boolean isSorted = TimeSeries.is(settings) || !values(settings, FIELD).isEmpty();
    if (mapping.hasNested() && isSorted) {
      throw Refusal.badArgument("cannot have nested fields when index sort is activated");
    }
    return mapping;
  }

  private static void requireOutside(Mapping mapping, List<String> fields) {
    for (String field : fields) {
      String scope = mapping.nestedScope(field);
      if (scope != null) {
        throw Refusal.badArgument(
            "cannot apply index sort to field [" + field + "] under nested object [" + scope + "]");
      }
    }
  }

  private static SortField key(Mapping mapping, Key key) {
    MappedField field = mapping.field(key.field());
    if (field == null || key.field().equals("_doc") || key.field().equals("_score")) {
      throw Refusal.badArgument("unknown index sort field:[" + key.field() + "]");
    }
    if (!field.path().equals(key.field())) {
      throw Refusal.badArgument("Cannot use alias [" + key.field() + "] as an index sort field");
    }
    FieldType type = field.type();
    return switch (type.isRuntime() ? ValuesKind.NONE : type.values()) {
      case NONE, BINARY ->
          throw Refusal.badArgument(
              "docvalues not found for index sort field:[" + key.field() + "]");
      case RANGE ->
          throw Refusal.badArgument(
              "Sorting by range field [" + key.field() + "] is not supported");
      case GEO_POINT ->
          throw Refusal.badArgument(
              "can't sort on geo_point or point field without using specific sorting feature, like"
                  + " geo_distance");
      case HALF_FLOAT, SCALED_FLOAT, UNSIGNED_LONG -> throw invalid(key);
      case KEYWORD, IP -> {
        if (type.isVirtual()) {
          throw invalid(key);
        }
        yield terms(key);
      }
      case LONG, BOOLEAN, DATE_MILLIS, DATE_NANOS, DOUBLE, FLOAT -> numbers(key, type);
    };
  }

  private static Refusal invalid(Key key) {
    return Refusal.badArgument("invalid index sort field:[" + key.field() + "]");
  }

  private static SortField terms(Key key) {
    SortedSetSortField field =
        new SortedSetSortField(
            key.field(),
            key.isDescending(),
            key.isMax() ? SortedSetSelector.Type.MAX : SortedSetSelector.Type.MIN);
    field.setMissingValue(key.isMissingGreatest() ? SortField.STRING_LAST : SortField.STRING_FIRST);
    return field;
  }

  /// Over the bits of doc values, whose order is that of the values.
  private static SortField numbers(Key key, FieldType type) {
    boolean isNarrow = NARROW.contains(type.typeName()) && type.isSearchable();
    SortedNumericSortField field =
        new SortedNumericSortField(
            key.field(),
            isNarrow ? SortField.Type.INT : SortField.Type.LONG,
            key.isDescending(),
            key.isMax() ? SortedNumericSelector.Type.MAX : SortedNumericSelector.Type.MIN);
    if (isNarrow) {
      field.setMissingValue(key.isMissingGreatest() ? Integer.MAX_VALUE : Integer.MIN_VALUE);
    } else {
      field.setMissingValue(key.isMissingGreatest() ? Long.MAX_VALUE : Long.MIN_VALUE);
    }
    return field;
  }
}
