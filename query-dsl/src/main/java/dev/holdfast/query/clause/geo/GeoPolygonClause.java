package dev.holdfast.query.clause.geo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.field.geo.GeoPoints.LatLon;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.term.FieldQueries;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;

/// Documents with a place inside a polygon of points.
public record GeoPolygonClause(String field, List<LatLon> points, boolean ignoresUnmapped)
    implements QueryClause {
  private static final String KIND = "geo_polygon";
  private static final Set<String> OPTIONS = Set.of("validation_method", "ignore_unmapped");

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    String field = GeoOptions.field(KIND, json, OPTIONS);
    if (field == null) {
      throw QueryReader.parsing("[geo_polygon] field name must not be null");
    }
    GeoOptions.Validation validation = GeoOptions.Validation.parse(json);
    JsonObject shape = JsonObject.of(KIND, json.required(field));
    List<LatLon> points = new ArrayList<>();
    for (JsonNode point : shape.required("points")) {
      points.add(GeoOptions.point(point, validation, KIND));
    }
    shape.done();
    if (points.isEmpty()) {
      throw QueryReader.parsing("no points defined for geo_polygon query");
    }
    if (!points.getFirst().equals(points.getLast())) {
      points.add(points.getFirst());
    }
    if (points.size() < 4) {
      throw Refusal.badArgument("too few points defined for geo_polygon query");
    }
    return of.finish(
        new GeoPolygonClause(field, List.copyOf(points), json.bool("ignore_unmapped", false)));
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldType type = GeoOptions.type(context, field, ignoresUnmapped, KIND);
    if (type == null) {
      return GeoOptions.unmapped(field);
    }
    context.memory().add(GeoShapeClause.POINT_BYTES * points.size());
    String path = context.path(field);
    Polygon polygon =
        new Polygon(
            points.stream().mapToDouble(LatLon::lat).toArray(),
            points.stream().mapToDouble(LatLon::lon).toArray());
    return new ConstantScoreQuery(
        FieldQueries.byPointsOrValues(
            context,
            path,
            LatLonPoint.newPolygonQuery(path, polygon),
            LatLonDocValuesField.newSlowPolygonQuery(path, polygon)));
  }
}
