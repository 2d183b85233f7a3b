package dev.holdfast.document.field.number;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.SeriesParameters;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalLong;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `aggregate_metric_double`: what several measurements come to, `{"min": 1, "max": 5, "sum": 9,
/// "value_count": 4}`. The default metric is what queries and sorts see, and lies in Lucene's field
/// of that name; each other metric beside it, as [#summaryField] says.
public final class AggregateMetricType implements ParameterizedField {
  /// In the order of Elasticsearch.
  static final List<String> METRICS = List.of("min", "max", "sum", "value_count");

  private static final String DEFAULT = "default_metric";

  private final FieldParameters parameters;
  private final List<String> metrics;
  private final String defaultMetric;
  private final boolean ignoresMalformed;
  private final NumberQueries queries = new NumberQueries(true, true, Long.BYTES);

  public AggregateMetricType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    metrics = parameters.texts("metrics", Change.FIXED);
    for (String metric : metrics) {
      requireKnown(metric);
    }
    if (metrics.isEmpty()) {
      throw Refusal.badArgument(
          "Property [metrics] is required for field [" + parameters.field() + "].");
    }
    String given = parameters.string(DEFAULT, Change.FIXED);
    if (given == null && metrics.size() > 1) {
      throw Refusal.badArgument(
          "Property [" + DEFAULT + "] is required for field [" + parameters.field() + "].");
    }
    defaultMetric = given == null ? metrics.getFirst() : given;
    requireKnown(defaultMetric);
    if (!metrics.contains(defaultMetric)) {
      throw Refusal.badArgument(
          "Default metric ["
              + defaultMetric
              + "] is not defined in the metrics of field ["
              + parameters.field()
              + "].");
    }
    ignoresMalformed =
        parameters.givenBool(
            "ignore_malformed",
            context.flag("index.mapping.ignore_malformed", false),
            Change.ALLOWED);
    SeriesParameters.summaryMetric(parameters);
    parameters.done();
  }

  private static void requireKnown(String metric) {
    if (!METRICS.contains(metric)) {
      throw Refusal.badArgument("Metric [" + metric + "] is not supported.");
    }
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public List<String> summaries() {
    return metrics;
  }

  /// Lucene's field of a metric; null when documents do not have it.
  @Override
  public @Nullable String summaryField(String field, String metric) {
    if (!metrics.contains(metric)) {
      return null;
    }
    return metric.equals(defaultMetric) ? field : field + "." + metric;
  }

  @Override
  public boolean readsObjects() {
    return true;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new AggregateMetricColumns(field, this, ignoresMalformed);
  }

  @Override
  public boolean isSearchable() {
    return true;
  }

  @Override
  public ValuesKind values() {
    return ValuesKind.DOUBLE;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (zone != null) {
      throw QueryFaults.noZone(typeName(), parameters.field());
    }
    return new NumberFormat(NumberKinds.DOUBLE, pattern);
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    OptionalLong exact = NumberKinds.DOUBLE.exact(value);
    return exact.isEmpty()
        ? new MatchNoDocsQuery("no number is " + value.asText())
        : queries.exact(field, exact.getAsLong());
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    return queries.anyOf(field, NumberQueries.exact(NumberKinds.DOUBLE, values));
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    if (range.zone() != null) {
      throw QueryFaults.noQuery(QueryFaults.noZone(typeName(), field));
    }
    return queries.range(field, NumberKinds.DOUBLE, range);
  }

  @Override
  public Query existsQuery(String field) {
    return queries.exists(field);
  }
}
