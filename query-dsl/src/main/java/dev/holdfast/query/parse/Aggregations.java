package dev.holdfast.query.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.aggregation.bucket.composite.Composite;
import dev.holdfast.query.aggregation.bucket.filter.AdjacencyMatrix;
import dev.holdfast.query.aggregation.bucket.filter.Filter;
import dev.holdfast.query.aggregation.bucket.filter.Filters;
import dev.holdfast.query.aggregation.bucket.filter.Global;
import dev.holdfast.query.aggregation.bucket.filter.Missing;
import dev.holdfast.query.aggregation.bucket.geo.GeoGrid;
import dev.holdfast.query.aggregation.bucket.histogram.AutoDateHistogram;
import dev.holdfast.query.aggregation.bucket.histogram.DateHistogram;
import dev.holdfast.query.aggregation.bucket.histogram.NumericHistogram;
import dev.holdfast.query.aggregation.bucket.histogram.VariableWidthHistogram;
import dev.holdfast.query.aggregation.bucket.join.JoinAggregation;
import dev.holdfast.query.aggregation.bucket.join.NestedObjects;
import dev.holdfast.query.aggregation.bucket.join.ReverseNested;
import dev.holdfast.query.aggregation.bucket.range.DateRanges;
import dev.holdfast.query.aggregation.bucket.range.GeoDistances;
import dev.holdfast.query.aggregation.bucket.range.IpPrefixes;
import dev.holdfast.query.aggregation.bucket.range.IpRanges;
import dev.holdfast.query.aggregation.bucket.range.NumericRanges;
import dev.holdfast.query.aggregation.bucket.sample.RandomSampler;
import dev.holdfast.query.aggregation.bucket.sample.Sampler;
import dev.holdfast.query.aggregation.bucket.series.SeriesBuckets;
import dev.holdfast.query.aggregation.bucket.significant.SignificantTerms;
import dev.holdfast.query.aggregation.bucket.significant.SignificantText;
import dev.holdfast.query.aggregation.bucket.terms.MultiTerms;
import dev.holdfast.query.aggregation.bucket.terms.RareTerms;
import dev.holdfast.query.aggregation.bucket.terms.Terms;
import dev.holdfast.query.aggregation.hits.TopHitsAggregation;
import dev.holdfast.query.aggregation.hits.TopMetrics;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.query.aggregation.metric.Average;
import dev.holdfast.query.aggregation.metric.Boxplot;
import dev.holdfast.query.aggregation.metric.Cardinality;
import dev.holdfast.query.aggregation.metric.ExtendedStats;
import dev.holdfast.query.aggregation.metric.MatrixStats;
import dev.holdfast.query.aggregation.metric.Maximum;
import dev.holdfast.query.aggregation.metric.MedianDeviation;
import dev.holdfast.query.aggregation.metric.Minimum;
import dev.holdfast.query.aggregation.metric.PercentileRanks;
import dev.holdfast.query.aggregation.metric.Percentiles;
import dev.holdfast.query.aggregation.metric.Stats;
import dev.holdfast.query.aggregation.metric.StringStats;
import dev.holdfast.query.aggregation.metric.Sum;
import dev.holdfast.query.aggregation.metric.ValueCount;
import dev.holdfast.query.aggregation.metric.WeightedAverage;
import dev.holdfast.query.aggregation.metric.geo.GeoBounds;
import dev.holdfast.query.aggregation.metric.geo.GeoCentroid;
import dev.holdfast.query.aggregation.metric.rate.Rate;
import dev.holdfast.query.aggregation.metric.scripted.ScriptedMetric;
import dev.holdfast.query.aggregation.pipeline.BucketMetric;
import dev.holdfast.query.aggregation.pipeline.BucketScripted;
import dev.holdfast.query.aggregation.pipeline.BucketSort;
import dev.holdfast.query.aggregation.pipeline.CumulativeCardinality;
import dev.holdfast.query.aggregation.pipeline.CumulativeSum;
import dev.holdfast.query.aggregation.pipeline.Derivative;
import dev.holdfast.query.aggregation.pipeline.MovingFunction;
import dev.holdfast.query.aggregation.pipeline.Normalize;
import dev.holdfast.query.aggregation.pipeline.PercentilesBucket;
import dev.holdfast.query.aggregation.pipeline.SerialDifference;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Every aggregation the search body knows: the only class that knows all kinds.
public final class Aggregations {
  /// Kinds that collect documents: one line a kind. What a kind needs besides its definition is
  /// handed in here.
  private static final Registry<Parser> KINDS =
      Registry.<Parser>of("aggregation")
          .with("adjacency_matrix", AdjacencyMatrix::parse)
          .with("auto_date_histogram", AutoDateHistogram::parse)
          .with("avg", Average::parse)
          .with("boxplot", Boxplot::parse)
          .with("cardinality", Cardinality::parse)
          .with("children", JoinAggregation::children)
          .with("composite", Composite::parse)
          .with("date_histogram", DateHistogram::parse)
          .with("date_range", DateRanges::parse)
          .with("diversified_sampler", Sampler::diversified)
          .with("extended_stats", ExtendedStats::parse)
          .with("filter", Filter::parse)
          .with("filters", Filters::parse)
          .with("geo_bounds", GeoBounds::parse)
          .with("geo_centroid", GeoCentroid::parse)
          .with("geo_distance", GeoDistances::parse)
          .with("geohash_grid", GeoGrid::geohash)
          .with("geotile_grid", GeoGrid::geotile)
          .with("global", Global::parse)
          .with("histogram", NumericHistogram::parse)
          .with("ip_prefix", IpPrefixes::parse)
          .with("ip_range", IpRanges::parse)
          .with("matrix_stats", MatrixStats::parse)
          .with("max", Maximum::parse)
          .with("median_absolute_deviation", MedianDeviation::parse)
          .with("min", Minimum::parse)
          .with("missing", Missing::parse)
          .with("multi_terms", MultiTerms::parse)
          .with("nested", NestedObjects::parse)
          .with("parent", JoinAggregation::parent)
          .with("percentile_ranks", PercentileRanks::parse)
          .with("percentiles", Percentiles::parse)
          .with("random_sampler", RandomSampler::parse)
          .with("range", NumericRanges::parse)
          .with("rate", Rate::parse)
          .with("rare_terms", RareTerms::parse)
          .with("reverse_nested", ReverseNested::parse)
          .with("sampler", Sampler::parse)
          .with("scripted_metric", ScriptedMetric::parse)
          .with("significant_terms", SignificantTerms::parse)
          .with("significant_text", SignificantText::parse)
          .with("stats", Stats::parse)
          .with("string_stats", StringStats::parse)
          .with("sum", Sum::parse)
          .with("terms", Terms::parse)
          .with("time_series", SeriesBuckets::parse)
          .with("top_hits", definition -> TopHitsAggregation.parse(definition, SearchParser::part))
          .with("top_metrics", definition -> TopMetrics.parse(definition, SearchParser::parse))
          .with("value_count", ValueCount::parse)
          .with("variable_width_histogram", VariableWidthHistogram::parse)
          .with("weighted_avg", WeightedAverage::parse);

  /// Kinds that compute from results of others.
  private static final Registry<PipelineParser> PIPELINES =
      Registry.<PipelineParser>of("pipeline aggregation")
          .with("avg_bucket", BucketMetric::average)
          .with("bucket_script", BucketScripted::parseScript)
          .with("bucket_selector", BucketScripted::parseSelector)
          .with("bucket_sort", BucketSort::parse)
          .with("cumulative_cardinality", CumulativeCardinality::parse)
          .with("cumulative_sum", CumulativeSum::parse)
          .with("derivative", Derivative::parse)
          .with("extended_stats_bucket", BucketMetric::extendedStats)
          .with("max_bucket", BucketMetric::maximum)
          .with("min_bucket", BucketMetric::minimum)
          .with("moving_fn", MovingFunction::parse)
          .with("normalize", Normalize::parse)
          .with("percentiles_bucket", PercentilesBucket::parse)
          .with("serial_diff", SerialDifference::parse)
          .with("stats_bucket", BucketMetric::stats)
          .with("sum_bucket", BucketMetric::sum);

  private Aggregations() {}

  /// Reads one kind of aggregation.
  @FunctionalInterface
  interface Parser {
    Aggregation parse(Definition definition);
  }

  /// Reads one kind of pipeline aggregation.
  @FunctionalInterface
  interface PipelineParser {
    PipelineAggregation parse(Label label, JsonObject body);
  }

  /// Reads the value of `aggs`: aggregations by the client's names, in order.
  ///
  /// @param queries reads a query inside an aggregation
  /// @throws Refusal `parsing_exception` for an unknown kind and for anything malformed
  public static AggregationTree parse(
      ObjectNode aggregations, Function<JsonNode, QueryClause> queries) {
    return new AggregationReader(KINDS, PIPELINES, queries, 1, "", List.of()).read(aggregations);
  }

  /// Every kind there is, by name.
  public static List<String> names() {
    List<String> names = new ArrayList<>(KINDS.names());
    names.addAll(PIPELINES.names());
    return names;
  }
}
