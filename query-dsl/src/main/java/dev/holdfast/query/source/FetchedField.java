package dev.holdfast.query.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.ShapeText;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.geo.GeoPoints;
import dev.holdfast.document.field.ip.AddressFormat;
import dev.holdfast.document.field.number.DecimalNumbers;
import dev.holdfast.document.field.vector.PackedVector;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A field whose values are read from the source and shown as the field's type means them.
public final class FetchedField {
  /// Types whose values are numbers, also where they have no doc values.
  private static final Set<String> NUMBERS =
      Set.of(
          "long",
          "integer",
          "short",
          "byte",
          "double",
          "float",
          "half_float",
          "rank_feature",
          MetadataFields.DOC_COUNT);

  /// Bits of the types of whole numbers.
  private static final Map<String, Long> WHOLE_BITS =
      Map.of("long", 64L, "integer", 32L, "short", 16L, "byte", 8L);

  private static final Set<String> NUMBER_RANGES =
      Set.of("integer_range", "long_range", "float_range", "double_range");

  private final QueryContext context;
  private final String field;
  private final @Nullable FieldType type;
  private final @Nullable ValueFormat read;
  private final @Nullable ValueFormat shown;
  private final @Nullable String format;

  /// How the ends of a range of dates are shown; null for other kinds.
  private final @Nullable ValueFormat datesOf;

  private final int lengthMax;

  /// In place of nulls; null for none.
  private final @Nullable JsonNode whenNull;

  /// Fields whose values are this field's too.
  private final List<String> copied;

  /// @param format null for the field's own
  /// @throws Refusal when the kind takes no format and one is given
  public FetchedField(QueryContext context, String field, @Nullable String format) {
    this.context = context;
    this.field = field;
    this.format = format;
    type = context.type(field);
    boolean isNumber = type != null && type.sourceValues().isNumeric();
    boolean isPlace = isPlace(type);
    boolean isDateRange = type != null && type.typeName().equals("date_range");
    datesOf = isDateRange && type != null ? type.format(format, null) : null;
    if (format != null && !isNumber && !isPlace && !isDateRange) {
      throw Refusal.badArgument(
          "Field ["
              + field
              + "] of type ["
              + (type == null ? "" : type.typeName())
              + "] doesn't support formats.");
    }
    read = (isNumber || isDateRange) && type != null ? type.format(null, null) : null;
    shown = isNumber && type != null ? type.format(format, null) : null;
    lengthMax =
        type == null
            ? Integer.MAX_VALUE
            : type.toJson().path("ignore_above").asInt(Integer.MAX_VALUE);
    JsonNode substitute = type == null ? null : type.toJson().get("null_value");
    whenNull = substitute == null || substitute.isNull() ? null : substitute;
    copied = context.mapping().copiedTo(context.path(field));
  }

  private static boolean isPlace(@Nullable FieldType type) {
    return type != null
        && (type.values() == ValuesKind.GEO_POINT || type.typeName().startsWith("geo_"));
  }

  /// @param ignored takes the values that the field does not have, because they are malformed or
  ///   too long
  public List<Object> of(JsonNode source, List<Object> ignored) {
    List<Object> found = new ArrayList<>();
    if (isPlace(type)) {
      for (JsonNode node : places(source)) {
        addPlaces(node, found);
      }
      return found;
    }
    for (JsonNode node : nodes(source)) {
      ValueFormat reading = read;
      ValueFormat showing = shown;
      if (node.isObject() && reading != null && datesOf != null) {
        found.add(range((ObjectNode) node, reading, datesOf));
      } else if (node.isContainerNode()) {
        (reading == null ? found : ignored).add(node.isObject() ? numbers(node) : node);
      } else if (reading == null || showing == null) {
        addText(node, found, ignored);
      } else {
        addNumber(node, reading, showing, found, ignored);
      }
    }
    return found;
  }

  /// A range of dates with its ends as the format shows them.
  private ObjectNode range(ObjectNode ends, ValueFormat reading, ValueFormat dates) {
    ObjectNode shown = Json.object();
    for (Map.Entry<String, JsonNode> end : ends.properties()) {
      JsonNode value = end.getValue();
      if (value.isNull()) {
        shown.set(end.getKey(), value);
      } else {
        long millis =
            reading.toDocValue(TextNode.valueOf(value.asText()), false, context.nowMillis());
        shown.put(end.getKey(), dates.toText(millis));
      }
    }
    return shown;
  }

  /// A range of numbers with its ends as the index has them: texts are numbers, and whole numbers
  /// have no fractions. Other objects are shown as they are.
  private JsonNode numbers(JsonNode object) {
    String name = type == null ? "" : type.typeName();
    if (!NUMBER_RANGES.contains(name)) {
      return object;
    }
    ObjectNode shown = Json.object();
    try {
      for (Map.Entry<String, JsonNode> end : object.properties()) {
        JsonNode value = end.getValue();
        shown.set(end.getKey(), value.isNull() ? value : number(name, value));
      }
      return shown;
    } catch (ArithmeticException | NumberFormatException e) {
      return object; // earlier builds took ends that are beyond the kind
    }
  }

  private static JsonNode number(String range, JsonNode value) {
    return switch (range) {
      case "integer_range" -> LongNode.valueOf(whole(value, Integer.SIZE));
      case "long_range" -> LongNode.valueOf(whole(value, Long.SIZE));
      case "float_range" ->
          DoubleNode.valueOf(Double.parseDouble(Float.toString((float) floating(value))));
      default -> DoubleNode.valueOf(floating(value));
    };
  }

  private static double floating(JsonNode value) {
    return value.isNumber() ? value.doubleValue() : Double.parseDouble(value.asText());
  }

  private List<JsonNode> nodes(JsonNode source) {
    List<JsonNode> own = SourceValues.ofField(context, source, field, whenNull);
    if (copied.isEmpty()) {
      return own;
    }
    List<JsonNode> all = new ArrayList<>(own);
    copied.forEach(other -> all.addAll(SourceValues.of(source, other)));
    return all;
  }

  private List<JsonNode> places(JsonNode source) {
    List<JsonNode> all = new ArrayList<>(SourceValues.wholeOfField(context, source, field));
    copied.forEach(other -> all.addAll(SourceValues.whole(source, other)));
    return all;
  }

  private void addNumber(
      JsonNode node,
      ValueFormat reading,
      ValueFormat showing,
      List<Object> found,
      List<Object> ignored) {
    long value;
    try {
      if (isEmptyBoolean(node)) {
        found.add(false);
        return;
      }
      if (isEmptyNumber(node)) {
        if (whenNull != null) {
          addNumber(whenNull, reading, showing, found, ignored);
        } else {
          ignored.add(node);
        }
        return;
      }
      Long bits = WHOLE_BITS.get(type == null ? "" : type.typeName());
      value =
          bits == null
              ? reading.toDocValue(written(node), false, context.nowMillis())
              : whole(node, bits.intValue());
    } catch (Refusal | ArithmeticException | NumberFormatException e) {
      ignored.add(node); // malformed, and ignored when it was indexed
      return;
    }
    found.add(narrow(ColumnValues.shown(type, showing, value)));
  }

  /// A number of 16 or 32 bits with the digits that tell it from its neighbours, as its text has
  /// them: 0.1, not the double that is nearest to the float.
  private Object narrow(Object number) {
    boolean isNarrow =
        type != null
            && (type.sourceValues() == ValuesKind.FLOAT
                || type.sourceValues() == ValuesKind.HALF_FLOAT);
    return isNarrow && number instanceof Double wide
        ? Double.valueOf(Float.toString(wide.floatValue()))
        : number;
  }

  /// An empty text is false.
  private boolean isEmptyBoolean(JsonNode node) {
    return node.isTextual()
        && node.asText().isEmpty()
        && type != null
        && type.sourceValues() == ValuesKind.BOOLEAN;
  }

  /// An empty text stands for no number where texts are taken for numbers.
  private boolean isEmptyNumber(JsonNode node) {
    return node.isTextual()
        && node.asText().isEmpty()
        && type != null
        && (NUMBERS.contains(type.typeName()) || WHOLE_BITS.containsKey(type.typeName()))
        && type.toJson().path("coerce").asBoolean(true);
  }

  /// Numbers in documents are read by a date's format, as texts are.
  private JsonNode written(JsonNode node) {
    boolean isDate = type != null && type.typeName().startsWith("date");
    return isDate && node.isNumber() ? TextNode.valueOf(node.asText()) : node;
  }

  /// A whole number of that many bits; what follows the point is cut off.
  private static long whole(JsonNode node, int bits) {
    BigDecimal number =
        node.isNumber()
            ? node.decimalValue()
            : bits == Long.SIZE
                ? DecimalNumbers.of(node.asText())
                : DecimalNumbers.narrow(node.asText());
    BigInteger whole = number.toBigInteger();
    if (whole.bitLength() >= bits) {
      throw new ArithmeticException("out of range");
    }
    return whole.longValueExact();
  }

  private void addText(JsonNode node, List<Object> found, List<Object> ignored) {
    FieldType.Vectors vectors = type == null || !node.isTextual() ? null : type.vectors();
    JsonNode numbers = vectors == null ? null : PackedVector.of(vectors).numbers(node.asText());
    if (numbers != null) {
      numbers.forEach(found::add);
      return;
    }
    boolean isAsWritten =
        type != null
            && (type.typeName().equals("binary")
                || (node.isNumber()
                    && (type.vectors() != null || NUMBERS.contains(type.typeName()))));
    if (isAsWritten) {
      found.add(node);
      return;
    }
    String text = node.asText();
    if (text.length() > lengthMax) {
      ignored.add(node);
      return;
    }
    if (type != null && type.typeName().equals("ip")) {
      addAddress(node, found, ignored);
      return;
    }
    boolean isNormalized = type != null && type.hasTerms() && type.searchAnalyzer() == null;
    found.add(isNormalized && type != null ? type.normalize(text) : text);
  }

  /// An address as the index has it: short, in small letters, IPv4 without its prefix.
  private static void addAddress(JsonNode node, List<Object> found, List<Object> ignored) {
    try {
      found.add(AddressFormat.PLAIN.toText(AddressFormat.PLAIN.toTerm(node)));
    } catch (Refusal e) {
      ignored.add(node); // malformed, and ignored when it was indexed
    }
  }

  private void addPlaces(JsonNode node, List<Object> found) {
    boolean isList =
        node.isArray() && !node.isEmpty() && (!node.get(0).isNumber() || node.size() < 2);
    if (isList) {
      node.forEach(one -> addPlaces(one, found));
      return;
    }
    try {
      found.add(type != null && type.typeName().equals("geo_point") ? point(node) : shape(node));
    } catch (Refusal e) {
      // malformed, and ignored when it was indexed
    }
  }

  private Object point(JsonNode node) {
    GeoPoints.LatLon point = GeoPoints.of(node);
    if ("wkt".equals(format)) {
      return "POINT (" + point.lon() + " " + point.lat() + ")";
    }
    var json = Json.object().put("type", "Point");
    json.putArray("coordinates").add(point.lon()).add(point.lat());
    return json;
  }

  private Object shape(JsonNode node) {
    JsonNode json = node.isTextual() ? ShapeText.toJson(node.asText()) : node;
    return "wkt".equals(format) ? ShapeText.ofJson(json) : json;
  }
}
