package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.geo.Distances;
import dev.holdfast.document.field.geo.GeoPoints.LatLon;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.geo.GeoOptions;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The `_geo_distance` sort: by how far a field's points are from some others.
///
/// @param metersPerUnit of the unit that distances are shown in
record DistanceSort(
    List<LatLon> origins, double metersPerUnit, boolean isPlane, boolean ignoresUnmapped) {
  static final String KIND = "_geo_distance";
  private static final Set<String> OPTIONS =
      Set.of(
          "order",
          "unit",
          "distance_type",
          "mode",
          "ignore_unmapped",
          "validation_method",
          "nested");

  static SortSpec parse(JsonNode value, QueryReader queries) {
    JsonObject json = JsonObject.of(KIND, value);
    String field = GeoOptions.field(KIND, json, OPTIONS);
    if (field == null) {
      throw Refusal.badArgument("geo distance sort requires a field and its points");
    }
    JsonNode points = json.required(field);
    GeoOptions.Validation validation = GeoOptions.Validation.parse(json);
    String type = json.string("distance_type", "arc");
    if (!type.equals("arc") && !type.equals("plane")) {
      throw Refusal.badArgument("No geo distance for [" + type + "]");
    }
    String order = json.string("order");
    String mode = json.string("mode");
    SortSpec.Mode parsed = mode == null ? null : SortSpec.mode(mode);
    if (parsed == SortSpec.Mode.SUM) {
      throw Refusal.badArgument("sort_mode [sum] isn't supported for sorting by geo distance");
    }
    DistanceSort distance =
        new DistanceSort(
            origins(points, validation),
            Distances.factor(json.string("unit", "m")),
            type.equals("plane"),
            json.bool("ignore_unmapped", false));
    SortSpec spec =
        new SortSpec(
            field,
            order != null && SortSpec.isDescending(order),
            null,
            parsed,
            null,
            null,
            NestedSort.parse(json.take("nested"), queries),
            distance,
            null,
            null);
    json.done();
    return spec;
  }

  /// One point in any of its forms, or a list of them: a list that begins with a number is one.
  private static List<LatLon> origins(JsonNode points, GeoOptions.Validation validation) {
    if (!points.isArray() || points.path(0).isNumber()) {
      return List.of(GeoOptions.point(points, validation, KIND));
    }
    List<LatLon> origins = new ArrayList<>(points.size());
    for (JsonNode point : points) {
      origins.add(GeoOptions.point(point, validation, KIND));
    }
    if (origins.isEmpty()) {
      throw Refusal.badArgument("must provide at least one point");
    }
    return List.copyOf(origins);
  }

  SortKey bind(SortSpec spec, QueryContext context) {
    FieldType type = context.type(spec.field());
    if (type == null) {
      if (!ignoresUnmapped) {
        throw Refusal.badArgument(
            "failed to find mapper for [" + spec.field() + "] for geo distance based sort");
      }
    } else if (type.values() != ValuesKind.GEO_POINT) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "unable to apply geo distance sort to field ["
              + spec.field()
              + "] of type ["
              + type.typeName()
              + "]");
    }
    NestedSort nested = spec.nested();
    @Nullable NestedChildren objects = nested == null ? null : nested.bind(context);
    return DistanceKey.of(spec, this, objects);
  }
}
