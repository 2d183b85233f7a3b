package dev.holdfast.query.clause.geo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.GeoShapes;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonMemory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LatLonShape;
import org.apache.lucene.document.ShapeField.QueryRelation;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.geo.LatLonGeometry;
import org.apache.lucene.geo.Line;
import org.apache.lucene.geo.Point;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.geo.Rectangle;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/// Documents with a shape or place that lies to a shape as asked. Shapes of other documents were
/// put in before the query reached the shards.
public record GeoShapeClause(
    String field, JsonNode shape, QueryRelation relation, boolean ignoresUnmapped)
    implements QueryClause {
  private static final String KIND = "geo_shape";

  /// Of a point of a shape that is searched for: itself, and its edge in a tree of them.
  static final long POINT_BYTES = 200;

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    String field = GeoOptions.field(KIND, json, Set.of("ignore_unmapped"));
    if (field == null) {
      throw Refusal.badArgument("fieldName is required");
    }
    JsonObject options = JsonObject.ofValues(KIND, json.required(field));
    JsonNode shape = options.take("shape");
    if (shape == null) {
      throw Refusal.badArgument("either shape or indexedShapeId is required");
    }
    String relation = options.string("relation", "intersects");
    options.done();
    return of.finish(
        new GeoShapeClause(field, shape, relation(relation), json.bool("ignore_unmapped", false)));
  }

  private static QueryRelation relation(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "intersects" -> QueryRelation.INTERSECTS;
      case "disjoint" -> QueryRelation.DISJOINT;
      case "within" -> QueryRelation.WITHIN;
      case "contains" -> QueryRelation.CONTAINS;
      default -> throw Refusal.badArgument("Unknown shape operation [" + name + "]");
    };
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldType type = GeoOptions.type(context, field, ignoresUnmapped, KIND);
    if (type == null) {
      return GeoOptions.unmapped(field);
    }
    context.memory().add(JsonMemory.of(shape)); // a copy, so that rings can be closed
    List<LatLonGeometry> read = GeoShapes.readClosing(shape);
    if (read.isEmpty()) {
      return new MatchNoDocsQuery("an empty shape");
    }
    LatLonGeometry[] shapes = read.toArray(LatLonGeometry[]::new);
    context.memory().add(POINT_BYTES * read.stream().mapToLong(GeoShapes::points).sum());
    String path = context.path(field);
    if (type.isRuntime()) {
      return new ConstantScoreQuery(
          LatLonDocValuesField.newSlowGeometryQuery(path, relation, shapes));
    }
    // Shapes over points do not score in Elasticsearch; over shapes they count 1.
    LatLonGeometry[] rounded = indexed(shapes);
    return GeoOptions.isPoint(type)
        ? new BoostQuery(
            new ConstantScoreQuery(LatLonPoint.newGeometryQuery(path, relation, rounded)), 0)
        : new ConstantScoreQuery(LatLonShape.newGeometryQuery(path, relation, rounded));
  }

  /// Shapes whose corners lie where those of an index do, which are rounded: a place is found by
  /// itself, and a shape lies within one that it was cut out of.
  private static LatLonGeometry[] indexed(LatLonGeometry[] shapes) {
    LatLonGeometry[] rounded = shapes.clone();
    for (int i = 0; i < rounded.length; i++) {
      if (rounded[i] instanceof Point point) {
        rounded[i] = new Point(latitude(point.getLat()), longitude(point.getLon()));
      } else if (rounded[i] instanceof Rectangle box) {
        rounded[i] =
            new Rectangle(
                latitude(box.minLat),
                latitude(box.maxLat),
                longitude(box.minLon),
                longitude(box.maxLon));
      } else if (rounded[i] instanceof Polygon polygon) {
        rounded[i] = rounded(polygon);
      } else if (rounded[i] instanceof Line line) {
        rounded[i] = new Line(latitudes(line.getLats()), longitudes(line.getLons()));
      }
    }
    return rounded;
  }

  private static Polygon rounded(Polygon polygon) {
    Polygon[] holes = polygon.getHoles();
    for (int i = 0; i < holes.length; i++) {
      holes[i] = rounded(holes[i]);
    }
    return new Polygon(latitudes(polygon.getPolyLats()), longitudes(polygon.getPolyLons()), holes);
  }

  private static double[] latitudes(double[] degrees) {
    return Arrays.stream(degrees).map(GeoShapeClause::latitude).toArray();
  }

  private static double[] longitudes(double[] degrees) {
    return Arrays.stream(degrees).map(GeoShapeClause::longitude).toArray();
  }

  private static double latitude(double degrees) {
    return GeoEncodingUtils.decodeLatitude(GeoEncodingUtils.encodeLatitude(degrees));
  }

  private static double longitude(double degrees) {
    return GeoEncodingUtils.decodeLongitude(GeoEncodingUtils.encodeLongitude(degrees));
  }
}
