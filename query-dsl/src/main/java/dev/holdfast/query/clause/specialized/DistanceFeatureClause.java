package dev.holdfast.query.clause.specialized;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.TimeSpan;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.date.Saturated;
import dev.holdfast.document.field.geo.Distances;
import dev.holdfast.document.field.geo.GeoPoints;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LongField;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/// Documents scored by how near a date or place is to an origin.
///
/// @param pivot the distance at which a document gets half the score
public record DistanceFeatureClause(String field, JsonNode origin, String pivot)
    implements QueryClause {
  private static final long NANOS_PER_MILLI = 1_000_000;

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    return of.finish(
        new DistanceFeatureClause(
            json.requiredText("field"), json.required("origin"), json.requiredText("pivot")));
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldType type = context.type(field);
    if (type == null) {
      return new MatchNoDocsQuery("Can't run [distance_feature] query on unmapped fields!");
    }
    if (type.isRuntime()) {
      throw Refusal.badArgument(
          "[distance_feature] queries are not supported on runtime fields, but [" + field + "] is");
    }
    String path = context.path(field);
    return switch (type.values()) {
      case GEO_POINT -> {
        GeoPoints.LatLon point = GeoPoints.of(origin);
        double pivotMeters = Distances.meters(pivot);
        yield LatLonPoint.newDistanceFeatureQuery(path, 1, point.lat(), point.lon(), pivotMeters);
      }
      case DATE_MILLIS, DATE_NANOS -> {
        // A number is a date in the field's format, too: not nanoseconds.
        JsonNode text = TextNode.valueOf(origin.asText());
        long from = type.format(null, null).toDocValue(text, true, context.nowMillis());
        long millis = TimeSpan.millis("pivot", pivot);
        long distance =
            type.values() == ValuesKind.DATE_NANOS
                ? Saturated.times(millis, NANOS_PER_MILLI)
                : millis;
        yield LongField.newDistanceFeatureQuery(path, 1, from, distance);
      }
      default ->
          throw Refusal.badArgument(
              "Illegal data type of ["
                  + type.typeName()
                  + "]![distance_feature] query can only be run on a date, date_nanos or geo_point"
                  + " field type!");
    };
  }
}
