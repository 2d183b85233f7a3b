package dev.holdfast.query.suggest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType.Context;
import dev.holdfast.document.field.geo.GeoPoints;
import dev.holdfast.document.field.geo.Geohashes;
import dev.holdfast.world.Refusal;
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

  private CompletionContexts() {}

  static CompletionQuery narrow(
      CompletionQuery query, List<Context> known, @Nullable JsonNode given) {
    ContextQuery narrowed = new ContextQuery(query);
    boolean isAny = false;
    for (int i = 0; i < known.size(); i++) {
      Context context = known.get(i);
      JsonNode values = given == null ? null : given.get(context.name());
      if (values == null) {
        continue;
      }
      boolean isPoint = values.isArray() && values.size() == 2 && values.get(0).isNumber();
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

  private static void add(ContextQuery query, char kind, Context context, JsonNode value) {
    JsonNode meant = value.isObject() && value.has("context") ? value.get("context") : value;
    float boost = (float) value.path("boost").asDouble(1);
    if (context.precision() == 0) {
      boolean isPrefix = value.path("prefix").asBoolean(false);
      query.addContext(kind + meant.asText(), boost, !isPrefix);
      return;
    }
    GeoPoints.LatLon point = GeoPoints.of(meant);
    int precision =
        Math.min(context.precision(), value.path("precision").asInt(context.precision()));
    for (String cell : around(point, precision)) {
      query.addContext(kind + cell, boost, false);
    }
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
