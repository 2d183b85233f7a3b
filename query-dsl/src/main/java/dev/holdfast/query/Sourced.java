package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.GeoPoints;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A field whose values are read from the source and shown as the field's type means them.
final class Sourced {
  /// Types whose values are numbers, also where they have no doc values.
  private static final Set<String> NUMBERS =
      Set.of("long", "integer", "short", "byte", "double", "float", "half_float");

  private final QueryContext context;
  private final String field;
  private final @Nullable FieldType type;
  private final @Nullable ValueFormat read;
  private final @Nullable ValueFormat shown;
  private final @Nullable String format;
  private final int lengthMax;

  /// @param format null for the field's own
  /// @throws Refusal when the kind takes no format and one is given
  Sourced(QueryContext context, String field, @Nullable String format) {
    this.context = context;
    this.field = field;
    this.format = format;
    type = context.type(field);
    boolean isNumber = type != null && type.values().isNumeric();
    boolean isPlace = isPlace(type);
    if (format != null && !isNumber && !isPlace) {
      throw Refusal.badArgument(
          "Field ["
              + field
              + "] of type ["
              + (type == null ? "" : type.typeName())
              + "] doesn't support formats.");
    }
    read = isNumber && type != null ? type.format(null, null) : null;
    shown = isNumber && type != null ? type.format(format, null) : null;
    lengthMax =
        type == null
            ? Integer.MAX_VALUE
            : type.toJson().path("ignore_above").asInt(Integer.MAX_VALUE);
  }

  private static boolean isPlace(@Nullable FieldType type) {
    return type != null
        && (type.values() == ValuesKind.GEO_POINT || type.typeName().startsWith("geo_"));
  }

  List<Object> of(JsonNode source) {
    List<Object> found = new ArrayList<>();
    if (isPlace(type)) {
      for (JsonNode node : SourceValues.whole(source, field)) {
        addPlaces(node, found);
      }
      return found;
    }
    for (JsonNode node : SourceValues.ofField(context, source, field)) {
      ValueFormat reading = read;
      ValueFormat showing = shown;
      if (node.isContainerNode()) {
        found.add(node);
      } else if (reading == null || showing == null) {
        addText(node, found);
      } else {
        addNumber(node, reading, showing, found);
      }
    }
    return found;
  }

  private void addNumber(
      JsonNode node, ValueFormat reading, ValueFormat showing, List<Object> found) {
    long value;
    try {
      value = reading.toDocValue(node, false, context.nowMillis());
    } catch (Refusal | NumberFormatException e) {
      return; // malformed, and ignored when it was indexed
    }
    found.add(FieldValues.shown(type, showing, value));
  }

  private void addText(JsonNode node, List<Object> found) {
    boolean isPlainNumber =
        node.isNumber()
            && type != null
            && (type.vectors() != null || NUMBERS.contains(type.typeName()));
    if (isPlainNumber) {
      found.add(node);
      return;
    }
    String text = node.asText();
    if (text.length() > lengthMax) {
      return;
    }
    boolean isNormalized = type != null && type.hasTerms() && type.searchAnalyzer() == null;
    found.add(isNormalized && type != null ? type.normalize(text) : text);
  }

  private void addPlaces(JsonNode node, List<Object> found) {
    boolean isList =
        node.isArray() && !node.isEmpty() && (!node.get(0).isNumber() || node.size() < 2);
    if (isList) {
      node.forEach(one -> addPlaces(one, found));
      return;
    }
    try {
      GeoPoints.LatLon point = GeoPoints.of(node);
      if ("wkt".equals(format)) {
        found.add("POINT (" + point.lon() + " " + point.lat() + ")");
      } else {
        var json = Json.object().put("type", "Point");
        json.putArray("coordinates").add(point.lon()).add(point.lat());
        found.add(json);
      }
    } catch (Refusal e) {
      if (node.isObject()) {
        found.add(node); // a shape
      }
    }
  }
}
