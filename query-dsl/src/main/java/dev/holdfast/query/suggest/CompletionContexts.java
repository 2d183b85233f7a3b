package dev.holdfast.query.suggest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType.Context;
import dev.holdfast.document.field.geo.GeoPoints;
import dev.holdfast.document.field.geo.GeohashLevels;
import dev.holdfast.document.field.geo.Geohashes;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.search.suggest.document.CompletionQuery;
import org.apache.lucene.search.suggest.document.ContextQuery;
import org.jspecify.annotations.Nullable;

/// Narrows suggestions to the contexts that a request names.
final class CompletionContexts {
  /// The character of the first context.
  private static final int FIRST = 0;

  /// Characters of a geohash.
  private static final int PRECISION_MAX = 12;

  private static final List<String> BESIDE_PLACES = List.of("boost", "precision", "neighbours");

  private CompletionContexts() {}

  /// @throws Refusal for a context that there is not, and for what is no context
  static CompletionQuery narrow(
      CompletionQuery query, List<Context> known, @Nullable JsonNode given) {
    requireKnown(known, given);
    ContextQuery narrowed = new ContextQuery(query);
    boolean isAny = false;
    for (int i = 0; i < known.size(); i++) {
      Context context = known.get(i);
      JsonNode values = given == null ? null : given.get(context.name());
      if (values == null) {
        continue;
      }
      boolean isPoint =
          context.precision() > 0
              && values.isArray()
              && values.size() == 2
              && values.get(0).isNumber();
      for (JsonNode value : values.isArray() && !isPoint ? values : List.of(values)) {
        isAny = true;
        add(narrowed, (char) (i + FIRST), context, value);
      }
    }
    if (!isAny) {
      throw Refusal.badArgument("Missing mandatory contexts in context query");
    }
    return narrowed;
  }

  private static void requireKnown(List<Context> known, @Nullable JsonNode given) {
    if (given == null) {
      return;
    }
    List<String> names = known.stream().map(Context::name).toList();
    given
        .fieldNames()
        .forEachRemaining(name -> {
          if (!names.contains(name)) {
            throw Refusal.badArgument(
                "Unknown context name [" + name + "], must be one of " + names);
          }
        });
  }

  private static void add(ContextQuery query, char kind, Context context, JsonNode value) {
    if (context.precision() == 0) {
      addCategory(query, kind, value);
    } else {
      addPlace(query, kind, context.precision(), value);
    }
  }

  private static void addCategory(ContextQuery query, char kind, JsonNode value) {
    if (!value.isObject()) {
      requireCategory(value);
      query.addContext(kind + value.asText(), 1, true);
      return;
    }
    JsonObject json = JsonObject.ofKinds("category", value);
    JsonNode meant = json.required("context");
    requireCategory(meant);
    boolean isPrefix = json.bool("prefix", false);
    int boost = boost(json);
    json.done();
    query.addContext(kind + meant.asText(), boost, !isPrefix);
  }

  private static void requireCategory(JsonNode given) {
    if (!given.isValueNode() || given.isNull()) {
      throw Refusal.badArgument("category context must be an object, string, number or boolean");
    }
  }

  private static int boost(JsonObject json) {
    int boost = json.integer("boost", 1);
    if (boost <= 0) {
      throw Refusal.badArgument("boost must be greater than 0");
    }
    return boost;
  }

  /// The cell of a place is searched with those around it, unless the request says with which.
  private static void addPlace(ContextQuery query, char kind, int precisionMax, JsonNode value) {
    ObjectNode options = Json.object();
    GeoPoints.LatLon point = GeoPoints.of(place(value, options));
    JsonObject json = JsonObject.ofKinds("geo", options);
    int least = Math.min(precisionMax, precision(json, precisionMax));
    int boost = boost(json);
    List<Integer> neighbours = neighbours(json.take("neighbours"));
    json.done();
    Set<String> cells = new TreeSet<>();
    cells.add(Geohashes.encode(point.lat(), point.lon(), least));
    if (neighbours.isEmpty() && least == precisionMax) {
      cells.addAll(around(point, least));
    }
    for (int coarser : neighbours) {
      if (coarser < least) {
        cells.addAll(around(point, coarser));
      }
    }
    for (String cell : cells) {
      query.addContext(kind + cell, boost, cell.length() >= precisionMax);
    }
  }

  /// The place alone: it may stand beside its options, or under `context`.
  ///
  /// @param options filled with what stands beside it
  private static JsonNode place(JsonNode value, ObjectNode options) {
    if (!(value instanceof ObjectNode object)) {
      return value;
    }
    ObjectNode place = object.deepCopy();
    for (String name : BESIDE_PLACES) {
      JsonNode option = place.remove(name);
      if (option != null) {
        options.set(name, option);
      }
    }
    JsonNode context = place.remove("context");
    if (context == null) {
      return place;
    }
    options.setAll(place); // nothing else is known there
    return context;
  }

  private static List<Integer> neighbours(@Nullable JsonNode given) {
    List<Integer> all = new ArrayList<>();
    if (given == null) {
      return all;
    }
    for (JsonNode one : given.isArray() ? given : List.of(given)) {
      if (!one.isNumber() && !one.isTextual()) {
        throw Refusal.badArgument(
            "[neighbours] must hold lengths of geohashes, but holds [" + one + "]");
      }
      all.add(precision(one.isNumber() ? one.intValue() : levels(one.asText())));
    }
    return all;
  }

  private static int precision(JsonObject json, int whenAbsent) {
    JsonNode given = json.node().get("precision");
    if (given == null || !given.isTextual()) {
      return precision(json.integer("precision", whenAbsent));
    }
    return precision(levels(json.required("precision").asText()));
  }

  /// A length, or the size of a cell, `5km`.
  private static int levels(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return GeohashLevels.of(text);
    }
  }

  private static int precision(int given) {
    if (given < 1 || given > PRECISION_MAX) {
      throw Refusal.badArgument(
          "the length of a geohash must be between 1 and " + PRECISION_MAX + ", but is " + given);
    }
    return given;
  }

  /// The cell of a place and its neighbours.
  private static Set<String> around(GeoPoints.LatLon point, int precision) {
    int bits = precision * 5;
    double height = 180.0 / (1L << (bits / 2));
    double width = 360.0 / (1L << ((bits + 1) / 2));
    Set<String> cells = new TreeSet<>();
    for (int north = -1; north <= 1; north++) {
      for (int east = -1; east <= 1; east++) {
        double lat = Math.clamp(point.lat() + north * height, -90, 90);
        double lon = point.lon() + east * width;
        double wrapped = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
        cells.add(Geohashes.encode(lat, wrapped, precision));
      }
    }
    return cells;
  }
}
