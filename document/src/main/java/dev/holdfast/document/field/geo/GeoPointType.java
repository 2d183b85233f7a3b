package dev.holdfast.document.field.geo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldNames;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.SeriesParameters;
import dev.holdfast.document.field.geo.GeoPoints.LatLon;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `geo_point`: places on earth. Geometry queries go to Lucene's `LatLonPoint` and
/// `LatLonDocValuesField` by the field's name.
public final class GeoPointType implements ParameterizedField {
  private final FieldParameters parameters;
  private final boolean isIndexed;
  private final boolean hasDocValues;
  private final boolean ignoresMalformed;
  private final boolean ignoresHeights;

  /// Earlier builds took geohashes in capitals, and a log may have them.
  private final boolean takesCapitals;

  private final @Nullable LatLon nullValue;

  public GeoPointType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    takesCapitals = context.isLenient();
    isIndexed = parameters.bool("index", true, Change.FIXED);
    hasDocValues = parameters.bool("doc_values", true, Change.FIXED);
    ignoresMalformed =
        parameters.givenBool(
            "ignore_malformed",
            context.flag("index.mapping.ignore_malformed", false),
            Change.ALLOWED);
    JsonNode whenNull = parameters.any("null_value", Change.FIXED);
    nullValue = whenNull == null ? null : GeoPoints.of(whenNull);
    ignoresHeights = parameters.bool("ignore_z_value", true, Change.ALLOWED);
    parameters.bool("store", false, Change.FIXED);
    SeriesParameters.placeMetric(parameters, hasDocValues);
    parameters.done();
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public boolean readsObjects() {
    return true;
  }

  @Override
  public boolean readsArrays() {
    return true;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new GeoPointColumns(
        field, isIndexed, hasDocValues, ignoresMalformed, ignoresHeights, takesCapitals, nullValue);
  }

  @Override
  public boolean isSearchable() {
    return isIndexed || hasDocValues;
  }

  @Override
  public boolean needsFieldName() {
    return !hasDocValues && (isIndexed || isStored());
  }

  @Override
  public boolean isRebuilt() {
    return true;
  }

  @Override
  public ValuesKind values() {
    return hasDocValues ? ValuesKind.GEO_POINT : ValuesKind.NONE;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      throw QueryFaults.noFormat(typeName(), parameters.field());
    }
    return GeoPointFormat.PLAIN;
  }

  private static Refusal noExact(String field) {
    return QueryFaults.noQuery(
        "Geometry fields do not support exact searching, use dedicated geometry queries instead: ["
            + field
            + "]");
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    throw noExact(field);
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    throw noExact(field);
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    throw QueryFaults.noQuery(
        "Field [" + field + "] of type [geo_point] does not support range queries");
  }

  @Override
  public Query existsQuery(String field) {
    return hasDocValues ? new FieldExistsQuery(field) : FieldNames.exists(field);
  }
}
