package dev.holdfast.query.clause.geo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.field.geo.Distances;
import dev.holdfast.document.field.geo.GeoPoints.LatLon;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.term.FieldQueries;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.Set;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LatLonShape;
import org.apache.lucene.document.ShapeField;
import org.apache.lucene.geo.Circle;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;

/// Documents with a place within some distance of a point.
public record GeoDistanceClause(
    String field,
    JsonNode center,
    double meters,
    GeoOptions.Validation validation,
    boolean ignoresUnmapped)
    implements QueryClause {
  private static final String KIND = "geo_distance";
  private static final Set<String> OPTIONS =
      Set.of("distance", "unit", "distance_type", "validation_method", "ignore_unmapped");

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    String field = GeoOptions.field(KIND, json, OPTIONS);
    JsonNode distance = json.take("distance");
    if (distance == null || distance.isNull()) {
      throw QueryReader.parsing("geo_distance requires 'distance' to be specified");
    }
    if (field == null) {
      throw QueryReader.parsing("geo_distance requires a field and a point");
    }
    if (field.isEmpty()) {
      throw Refusal.badArgument("fieldName must not be null or empty");
    }
    JsonNode center = json.required(field);
    if (field.endsWith(".lat") || field.endsWith(".lon") || field.endsWith(".geohash")) {
      throw Refusal.badArgument("[" + KIND + "] takes the point as one member");
    }
    String type = json.string("distance_type", "arc");
    if (!type.equals("arc") && !type.equals("plane")) {
      throw Refusal.badArgument("No geo distance for [" + type + "]");
    }
    return of.finish(
        new GeoDistanceClause(
            field,
            center,
            Distances.meters(distance.asText(), json.string("unit", "m")),
            GeoOptions.Validation.parse(json),
            json.bool("ignore_unmapped", false)));
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldType type = GeoOptions.type(context, field, ignoresUnmapped, KIND);
    if (type == null) {
      return GeoOptions.unmapped(field);
    }
    if (meters <= 0) {
      throw Refusal.badArgument("distance must be greater than zero");
    }
    String path = context.path(field);
    LatLon point = GeoOptions.point(center, validation, KIND);
    if (!GeoOptions.isPoint(type)) {
      return new ConstantScoreQuery(
          LatLonShape.newDistanceQuery(
              path,
              ShapeField.QueryRelation.INTERSECTS,
              new Circle(point.lat(), point.lon(), meters)));
    }
    Query points = LatLonPoint.newDistanceQuery(path, point.lat(), point.lon(), meters);
    Query values =
        LatLonDocValuesField.newSlowDistanceQuery(path, point.lat(), point.lon(), meters);
    return new ConstantScoreQuery(FieldQueries.byPointsOrValues(context, path, points, values));
  }
}
