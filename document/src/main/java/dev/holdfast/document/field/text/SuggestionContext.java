package dev.holdfast.document.field.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.geo.GeoPoints;
import dev.holdfast.document.field.geo.GeohashLevels;
import dev.holdfast.document.field.geo.Geohashes;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What suggestions of a `completion` are filtered by: a category, or a place as the beginning of
/// its geohash.
///
/// @param precision of a place, in characters of its geohash; 0 for a category
/// @param path the field that has the values; null when the suggestion itself does
record SuggestionContext(String name, int precision, @Nullable String path) {
  private static final int PRECISION = 6;
  private static final int PRECISION_MAX = 12;

  static List<SuggestionContext> read(@Nullable JsonNode json) {
    List<SuggestionContext> contexts = new ArrayList<>();
    if (json != null && json.isArray()) {
      json.forEach(context -> contexts.add(one(context)));
    } else if (json != null) {
      contexts.add(one(json));
    }
    return List.copyOf(contexts);
  }

  private static SuggestionContext one(JsonNode json) {
    for (String required : List.of("name", "type")) {
      if (!json.has(required)) {
        throw FieldParameters.mapperParsing("Required [" + required + "] in context mapping");
      }
    }
    String type = json.get("type").asText();
    String path = json.has("path") ? json.get("path").asText() : null;
    int precision =
        switch (type) {
          case "category" -> 0;
          case "geo" -> Math.clamp(precision(json.get("precision")), 1, PRECISION_MAX);
          default -> throw FieldParameters.mapperParsing("unknown context type [" + type + "]");
        };
    return new SuggestionContext(json.get("name").asText(), precision, path);
  }

  /// A whole number is one of characters; anything else a size of cells, in meters where it names
  /// no unit.
  private static int precision(@Nullable JsonNode given) {
    if (given == null || given.isNull()) {
      return PRECISION;
    }
    return given.isIntegralNumber() ? given.intValue() : GeohashLevels.of(given.asText());
  }

  boolean isGeo() {
    return precision > 0;
  }

  /// The values for one suggestion.
  ///
  /// @param given the suggestion's `contexts`
  /// @param document the whole document, when a context asks for it
  List<String> values(@Nullable JsonNode given, @Nullable JsonNode document) {
    List<String> values = new ArrayList<>();
    JsonNode own = given == null ? null : given.get(name);
    if (own != null) {
      add(own, values);
    } else if (path != null && document != null) {
      JsonNode at = document;
      for (String step : path.split("\\.", -1)) {
        at = at.path(step);
      }
      add(at, values);
    }
    return values;
  }

  private void add(JsonNode value, List<String> to) {
    boolean isPoint = isGeo() && value.isArray() && value.size() == 2 && value.get(0).isNumber();
    if (value.isArray() && !isPoint) {
      value.forEach(element -> add(element, to));
    } else if (isGeo() && !value.isMissingNode() && !value.isNull()) {
      GeoPoints.LatLon point = GeoPoints.of(value);
      to.add(Geohashes.encode(point.lat(), point.lon(), precision));
    } else if (value.isValueNode() && !value.isNull()) {
      to.add(value.asText());
    } else if (value.isObject()) {
      throw Refusal.badArgument(
          "context must be a string, number or boolean or a list of string, number or boolean, but"
              + " was [START_OBJECT]");
    }
  }
}
