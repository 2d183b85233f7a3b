package dev.holdfast.query.clause.geo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.field.geo.GeoPoints;
import dev.holdfast.document.field.geo.GeoPoints.LatLon;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.term.FieldQueries;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LatLonShape;
import org.apache.lucene.document.ShapeField.QueryRelation;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;

/// Documents with a place inside a box of latitudes and longitudes.
///
/// @param topLeft north and west
/// @param bottomRight south and east
public record GeoBoundingBoxClause(
    String field, LatLon topLeft, LatLon bottomRight, boolean ignoresUnmapped)
    implements QueryClause {
  private static final String KIND = "geo_bounding_box";
  private static final Set<String> OPTIONS = Set.of("validation_method", "ignore_unmapped");
  private static final Pattern WKT =
      Pattern.compile(
          "\\s*(?:BBOX|ENVELOPE)\\s*\\(\\s*([^,]+),([^,]+),([^,]+),([^,)]+)\\)\\s*",
          Pattern.CASE_INSENSITIVE);

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    String field = GeoOptions.field(KIND, json, OPTIONS);
    if (field == null) {
      throw QueryReader.parsing("failed to parse [geo_bounding_box] query. no field given");
    }
    GeoOptions.Validation validation = GeoOptions.Validation.parse(json);
    JsonObject box = JsonObject.of(KIND, json.required(field));
    LatLon[] corners = corners(box, validation);
    box.done();
    if (validation == GeoOptions.Validation.STRICT && corners[0].lat() < corners[1].lat()) {
      throw Refusal.badArgument(
          "top is below bottom corner: " + corners[0].lat() + " vs. " + corners[1].lat());
    }
    return of.finish(
        new GeoBoundingBoxClause(
            field, corners[0], corners[1], json.bool("ignore_unmapped", false)));
  }

  private static LatLon[] corners(JsonObject box, GeoOptions.Validation validation) {
    String wkt = box.string("wkt");
    if (wkt != null) {
      Matcher matcher = WKT.matcher(wkt);
      if (!matcher.matches()) {
        throw new Refusal(ErrorType.PARSE, "failed to parse WKT bounding box");
      }
      return new LatLon[] {
        new LatLon(number(matcher.group(3)), number(matcher.group(1))),
        new LatLon(number(matcher.group(4)), number(matcher.group(2)))
      };
    }
    if (box.has("top") || box.has("left") || box.has("bottom") || box.has("right")) {
      return new LatLon[] {
        new LatLon(side(box, "top"), side(box, "left")),
        new LatLon(side(box, "bottom"), side(box, "right"))
      };
    }
    if (box.has("top_right") || box.has("bottom_left")) {
      LatLon topRight = corner(box, "top_right", validation);
      LatLon bottomLeft = corner(box, "bottom_left", validation);
      return new LatLon[] {
        new LatLon(topRight.lat(), bottomLeft.lon()), new LatLon(bottomLeft.lat(), topRight.lon())
      };
    }
    return new LatLon[] {
      corner(box, "top_left", validation), corner(box, "bottom_right", validation)
    };
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.PARSE, "failed to parse WKT bounding box", e);
    }
  }

  private static double side(JsonObject box, String name) {
    JsonNode value = box.take(name);
    if (value == null || value.isNull()) {
      throw new Refusal(ErrorType.PARSE, "failed to parse bounding box. [" + name + "] is missing");
    }
    return box.doubleValue(name, 0);
  }

  private static LatLon corner(JsonObject box, String name, GeoOptions.Validation validation) {
    JsonNode value = box.take(name);
    if (value == null) {
      throw new Refusal(
          ErrorType.PARSE,
          "failed to parse bounding box. [top_left] and [bottom_right] or [top_right] and"
              + " [bottom_left] must be given: ["
              + name
              + "] is missing");
    }
    LatLon point = GeoPoints.ofCorner(value, name.startsWith("top"), name.endsWith("right"));
    return GeoOptions.checked(point, validation, KIND);
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldType type = GeoOptions.type(context, field, ignoresUnmapped, KIND);
    if (type == null) {
      return GeoOptions.unmapped(field);
    }
    String path = context.path(field);
    double south = bottomRight.lat();
    double north = topLeft.lat();
    double west = topLeft.lon();
    double east = bottomRight.lon();
    if (!GeoOptions.isPoint(type)) {
      return new ConstantScoreQuery(
          LatLonShape.newBoxQuery(path, QueryRelation.INTERSECTS, south, north, west, east));
    }
    // Points of an index are rounded, and so is the box: what lies on its edge is inside.
    south = GeoEncodingUtils.decodeLatitude(GeoEncodingUtils.encodeLatitude(south));
    west = GeoEncodingUtils.decodeLongitude(GeoEncodingUtils.encodeLongitude(west));
    return new ConstantScoreQuery(
        FieldQueries.byPointsOrValues(
            context,
            path,
            LatLonPoint.newBoxQuery(path, south, north, west, east),
            LatLonDocValuesField.newSlowBoxQuery(path, south, north, west, east)));
  }
}
