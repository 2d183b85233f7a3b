package dev.holdfast.query.aggregation.column;

import dev.holdfast.document.ValuesKind;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The families of values that most aggregations tell apart: those of a field, or those that
/// `value_type` says of a field which an index lacks.
enum ValueSource {
  NUMERIC,
  DATE,
  BOOLEAN,
  KEYWORD,
  IP;

  private static final Set<ValueSource> NUMBERS = Set.of(NUMERIC, DATE, BOOLEAN);
  private static final Set<ValueSource> ADDRESSES = Set.of(IP);
  private static final Set<ValueSource> PLACES = Set.of();

  /// What kinds of aggregations take; those that are not here take everything, or see to it
  /// themselves.
  private static final Map<String, Set<ValueSource>> TAKEN =
      Map.ofEntries(
          Map.entry("avg", NUMBERS),
          Map.entry("sum", NUMBERS),
          Map.entry("min", NUMBERS),
          Map.entry("max", NUMBERS),
          Map.entry("stats", NUMBERS),
          Map.entry("extended_stats", NUMBERS),
          Map.entry("percentiles", NUMBERS),
          Map.entry("percentile_ranks", NUMBERS),
          Map.entry("histogram", NUMBERS),
          Map.entry("range", NUMBERS),
          Map.entry("date_range", NUMBERS),
          Map.entry("date_histogram", Set.of(NUMERIC, DATE)),
          Map.entry("median_absolute_deviation", Set.of(NUMERIC)),
          Map.entry("variable_width_histogram", Set.of(NUMERIC)),
          Map.entry("diversified_sampler", Set.of(NUMERIC, DATE, BOOLEAN, KEYWORD)),
          Map.entry("ip_range", ADDRESSES),
          Map.entry("ip_prefix", ADDRESSES),
          Map.entry("geo_bounds", PLACES),
          Map.entry("geo_centroid", PLACES),
          Map.entry("geo_distance", PLACES),
          Map.entry("geohash_grid", PLACES));

  /// @param valueType as a request names it
  static ValueSource ofName(String valueType) {
    return switch (valueType) {
      case "date" -> DATE;
      case "boolean" -> BOOLEAN;
      case "string" -> KEYWORD;
      case "ip" -> IP;
      default -> NUMERIC;
    };
  }

  /// @return null for kinds that are none of these families
  static @Nullable ValueSource of(ValuesKind kind) {
    return switch (kind) {
      case DATE_MILLIS, DATE_NANOS -> DATE;
      case BOOLEAN -> BOOLEAN;
      case KEYWORD -> KEYWORD;
      case IP -> IP;
      case LONG, DOUBLE, FLOAT, HALF_FLOAT, SCALED_FLOAT, UNSIGNED_LONG -> NUMERIC;
      case NONE, GEO_POINT, RANGE, BINARY -> null;
    };
  }

  boolean isTakenBy(String aggregation) {
    Set<ValueSource> taken = TAKEN.get(aggregation);
    return taken == null || taken.contains(this);
  }

  /// As messages name it.
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
