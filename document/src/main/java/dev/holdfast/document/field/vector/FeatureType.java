package dev.holdfast.document.field.vector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldNames;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.TermText;
import dev.holdfast.document.field.UnqueryableField;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/// `rank_feature`, `rank_features` and `sparse_vector`: numbers that raise scores, as frequencies
/// of terms. A single feature's term is the path of its field.
public final class FeatureType implements UnqueryableField {
  private final FieldParameters parameters;
  private final boolean isPositive;
  private final boolean isMap;
  private final boolean isVector;

  /// Earlier builds took values that are refused now, and a log may have them.
  private final boolean isLenient;

  private final @Nullable String key;
  private final @Nullable Float nullValue;

  private FeatureType(
      FieldParameters parameters, FieldContext context, boolean isMap, boolean isVector) {
    this.parameters = parameters;
    isLenient = context.isLenient();
    this.isMap = isMap;
    this.isVector = isVector;
    isPositive = isVector || parameters.bool("positive_score_impact", true, Change.FIXED);
    if (isVector) {
      parameters.accept("store", "index_options");
    }
    nullValue = isMap ? null : whenNull(parameters);
    parameters.done();
    key = null;
  }

  /// Mappings that were made before it was read may have anything there, and open.
  private static @Nullable Float whenNull(FieldParameters parameters) {
    JsonNode given = parameters.any("null_value", Change.FIXED);
    try {
      return given == null ? null : (Float) Float.parseFloat(given.asText());
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private FeatureType(FeatureType map, String key) {
    parameters = map.parameters;
    isPositive = map.isPositive;
    isMap = false;
    isVector = false;
    isLenient = map.isLenient;
    nullValue = null;
    this.key = key;
  }

  public static FeatureType one(FieldParameters parameters, FieldContext context) {
    return new FeatureType(parameters, context, false, false);
  }

  public static FeatureType many(FieldParameters parameters, FieldContext context) {
    return new FeatureType(parameters, context, true, false);
  }

  public static FeatureType vector(FieldParameters parameters, FieldContext context) {
    return new FeatureType(parameters, context, true, true);
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public boolean readsObjects() {
    return isMap;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new FeatureColumns(field, typeName(), isPositive, isMap, isLenient, nullValue);
  }

  @Override
  public @Nullable FieldType under(String field, String name) {
    return isMap && !isVector ? new FeatureType(this, name) : null;
  }

  @Override
  public @Nullable Feature feature(String field) {
    if (key != null) {
      return new Feature(parameters.field(), key, isPositive);
    }
    return isMap ? null : new Feature(field, field, isPositive);
  }

  /// The documents with a feature of that name, scored by it; weights of a `sparse_vector` are its
  /// terms.
  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    if (!isMap) {
      throw noMatch(field);
    }
    return FeatureField.newLinearQuery(field, TermText.of(value).utf8ToString(), 1);
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    if (!isMap) {
      throw noMatch(field);
    }
    return new TermInSetQuery(field, values.stream().map(TermText::of).toList());
  }

  @Override
  public Query existsQuery(String field) {
    if (isMap && !isVector) {
      throw QueryFaults.noQuery("[rank_features] fields do not support [exists] queries");
    }
    return key == null
        ? FieldNames.exists(field)
        : new ConstantScoreQuery(new TermQuery(new Term(parameters.field(), key)));
  }

  @Override
  public Refusal noMatch(String field) {
    return QueryFaults.noQuery("Queries on [" + typeName() + "] fields are not supported");
  }
}
