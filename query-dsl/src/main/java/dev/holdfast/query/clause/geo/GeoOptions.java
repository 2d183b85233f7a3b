package dev.holdfast.query.clause.geo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.geo.GeoPoints;
import dev.holdfast.document.field.geo.GeoPoints.LatLon;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// What the queries about places have in common.
public final class GeoOptions {
  /// What to do about coordinates that are not on earth.
  public enum Validation {
    STRICT,
    COERCE,
    IGNORE_MALFORMED;

    public static Validation parse(JsonObject json) {
      String name = json.string("validation_method");
      if (name == null) {
        return STRICT;
      }
      for (Validation one : values()) {
        if (one.name().equals(name.toUpperCase(Locale.ROOT))) {
          return one;
        }
      }
      throw Refusal.badArgument(
          "operator needs to be either "
              + "STRICT, COERCE or IGNORE_MALFORMED, but not ["
              + name
              + "]");
    }
  }

  private GeoOptions() {}

  /// The one member that is no option, which is the field; null when there is none.
  public static @Nullable String field(String kind, JsonObject json, Set<String> options) {
    String field = null;
    for (String name : json.rest()) {
      if (options.contains(name) || name.equals("boost") || name.equals("_name")) {
        continue;
      }
      if (field != null) {
        throw QueryReader.parsing(
            "["
                + kind
                + "] query doesn't support multiple fields, found ["
                + field
                + "] and ["
                + name
                + "]");
      }
      field = name;
    }
    return field;
  }

  /// @throws Refusal when the point is not on earth and must be
  public static LatLon point(JsonNode given, Validation validation, String kind) {
    return checked(GeoPoints.of(given), validation, kind);
  }

  /// @throws Refusal when the point is not on earth and must be
  static LatLon checked(LatLon point, Validation validation, String kind) {
    double lat = point.lat();
    double lon = point.lon();
    boolean isOnEarth = Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
    if (isOnEarth) {
      return point;
    }
    return switch (validation) {
      case STRICT ->
          throw new Refusal(
              ErrorType.QUERY_SHARD,
              Math.abs(lat) <= 90
                  ? "illegal longitude value [" + lon + "] for [" + kind + "]"
                  : "illegal latitude value [" + lat + "] for [" + kind + "]");
      case COERCE, IGNORE_MALFORMED -> coerced(lat, lon);
    };
  }

  private static LatLon coerced(double lat, double lon) {
    double north = ((lat + 90) % 360 + 360) % 360 - 90;
    boolean isOverPole = north > 90;
    double newLat = isOverPole ? 180 - north : north;
    double shifted = isOverPole ? lon + 180 : lon;
    double newLon = ((shifted + 180) % 360 + 360) % 360 - 180;
    return new LatLon(newLat, newLon == -180 && lon > 0 ? 180 : newLon);
  }

  /// The type of a field of points; null for an unmapped field that may be so.
  static @Nullable FieldType type(
      QueryContext context, String field, boolean ignoresUnmapped, String kind) {
    FieldType type = context.type(field);
    if (type == null) {
      if (ignoresUnmapped) {
        return null;
      }
      throw new Refusal(ErrorType.QUERY_SHARD, "failed to find geo field [" + field + "]");
    }
    if (!List.of("geo_point", "geo_shape").contains(type.typeName())) {
      throw new Refusal(
          ErrorType.QUERY_SHARD,
          "Field ["
              + field
              + "] is of unsupported type ["
              + type.typeName()
              + "] for ["
              + kind
              + "] query");
    }
    return type;
  }

  static boolean isPoint(FieldType type) {
    return type.values() == ValuesKind.GEO_POINT || type.typeName().equals("geo_point");
  }

  static Query unmapped(String field) {
    return new MatchNoDocsQuery("unmapped field [" + field + "]");
  }
}
