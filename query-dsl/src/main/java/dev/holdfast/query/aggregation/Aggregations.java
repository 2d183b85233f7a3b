package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.MissingKinds;
import dev.holdfast.query.QueryClause;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Place;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Every aggregation the search body knows, and the reading of `aggs`.
public final class Aggregations {
  /// How deep aggregations may nest.
  static final int DEPTH_MAX = 100;

  /// Kinds that collect documents.
  private static final Registry<Parser> KINDS =
      Registry.<Parser>of("aggregation")
          .with("adjacency_matrix", AdjacencyMatrix::parse)
          .with("auto_date_histogram", AutoDateHistogram::parse)
          .with("avg", Average::parse)
          .with("boxplot", Boxplot::parse)
          .with("cardinality", Cardinality::parse)
          .with("children", JoinedDocuments::children)
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
          .with("parent", JoinedDocuments::parent)
          .with("percentile_ranks", PercentileRanks::parse)
          .with("percentiles", Percentiles::parse)
          .with("random_sampler", RandomSampler::parse)
          .with("range", NumericRanges::parse)
          .with("rare_terms", RareTerms::parse)
          .with("reverse_nested", ReverseNested::parse)
          .with("sampler", Sampler::parse)
          .with("significant_terms", SignificantTerms::parse)
          .with("significant_text", SignificantText::parse)
          .with("stats", Stats::parse)
          .with("string_stats", StringStats::parse)
          .with("sum", Sum::parse)
          .with("terms", Terms::parse)
          .with("top_hits", BestHits::parse)
          .with("top_metrics", TopMetrics::parse)
          .with("value_count", ValueCount::parse)
          .with("variable_width_histogram", VariableWidthHistogram::parse)
          .with("weighted_avg", WeightedAverage::parse);

  /// Kinds that compute from results of others.
  private static final Registry<PipelineParser> PIPELINES =
      Registry.<PipelineParser>of("pipeline aggregation")
          .with("avg_bucket", BucketMetric::average)
          .with("bucket_sort", BucketSort::parse)
          .with("cumulative_sum", CumulativeSum::parse)
          .with("derivative", Derivative::parse)
          .with("extended_stats_bucket", BucketMetric::extendedStats)
          .with("max_bucket", BucketMetric::maximum)
          .with("min_bucket", BucketMetric::minimum)
          .with("moving_fn", MovingFunction::parse)
          .with("percentiles_bucket", PercentilesBucket::parse)
          .with("serial_diff", SerialDifference::parse)
          .with("stats_bucket", BucketMetric::stats)
          .with("sum_bucket", BucketMetric::sum);

  private static final Set<String> COMPOSITE_PARENTS =
      Set.of("nested", "filter", "reverse_nested", "random_sampler", "global");

  /// Pipelines that go from bucket to bucket in the order of their keys.
  private static final Set<String> SEQUENTIAL =
      Set.of(
          "cumulative_cardinality",
          "cumulative_sum",
          "derivative",
          "moving_fn",
          "moving_percentiles",
          "serial_diff");

  /// Those of them that need the empty buckets too.
  private static final Set<String> GAPLESS =
      Set.of(
          "cumulative_cardinality",
          "cumulative_sum",
          "derivative",
          "moving_fn",
          "moving_percentiles");

  private static final Set<String> SEQUENCES =
      Set.of("histogram", "date_histogram", "auto_date_histogram");

  private Aggregations() {}

  /// Reads one kind of aggregation.
  @FunctionalInterface
  interface Parser {
    Aggregation parse(Definition definition);
  }

  /// Reads one kind of pipeline aggregation.
  @FunctionalInterface
  interface PipelineParser {
    Pipeline parse(Label label, JsonObject body);
  }

  /// Reads the value of `aggs`: aggregations by the client's names, in order.
  ///
  /// @param queries reads a query inside an aggregation
  /// @throws Refusal `parsing_exception` for an unknown kind and for anything malformed
  public static AggregationTree parse(
      ObjectNode aggregations, Function<JsonNode, QueryClause> queries) {
    return parse(aggregations, queries, 1);
  }

  private static AggregationTree parse(
      ObjectNode aggregations, Function<JsonNode, QueryClause> queries, int depth) {
    if (depth > DEPTH_MAX) {
      throw Refusal.badArgument("aggregations nest deeper than [" + DEPTH_MAX + "]");
    }
    List<Aggregation> parsed = new ArrayList<>();
    List<Pipeline> pipelines = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : aggregations.properties()) {
      one(member.getKey(), member.getValue(), queries, depth, parsed, pipelines);
    }
    if (depth > 1) {
      parsed.stream()
          .filter(RandomSampler.class::isInstance)
          .findFirst()
          .ifPresent(inner -> {
            throw Refusal.badArgument(
                "[random_sampler] aggregation ["
                    + inner.label().name()
                    + "] cannot have a parent aggregation");
          });
    }
    refuseUnreachable(parsed, pipelines, depth);
    return new AggregationTree(parsed, pipelines);
  }

  private static void one(
      String name,
      JsonNode definition,
      Function<JsonNode, QueryClause> queries,
      int depth,
      List<Aggregation> parsed,
      List<Pipeline> pipelines) {
    checkName(name);
    if (!(definition instanceof ObjectNode object)) {
      throw parsing(
          "Aggregation definition for ["
              + name
              + " starts with a ["
              + token(definition)
              + "], expected a [START_OBJECT].");
    }
    String kind = kind(name, object);
    Label label = new Label(name, meta(name, object));
    AggregationTree children = children(name, object, queries, depth);
    JsonObject body = JsonObject.of(kind, object.get(kind));
    Parser parser = KINDS.get(kind);
    PipelineParser pipeline = PIPELINES.get(kind);
    if (parser != null) {
      Aggregation aggregation = parser.parse(new Definition(label, body, children, queries));
      if (!children.isEmpty() && !aggregation.takesChildren()) {
        throw Refusal.badArgument(
            "Aggregator [" + name + "] of type [" + kind + "] cannot accept sub-aggregations");
      }
      refuseGlobal(name, children);
      refuseComposite(kind, children);
      refuseUnordered(kind, children);
      refuseGaps(aggregation, children);
      parsed.add(aggregation);
    } else if (pipeline != null) {
      if (!children.isEmpty()) {
        throw Refusal.badArgument("Aggregation [" + name + "] cannot define sub-aggregations");
      }
      pipelines.add(pipeline.parse(label, body));
    }
    body.done();
  }

  private static void refuseGlobal(String name, AggregationTree children) {
    for (Aggregation child : children.aggregations()) {
      if (child instanceof Global) {
        throw Refusal.badArgument(
            "Aggregation ["
                + name
                + "] cannot have a global sub-aggregation ["
                + child.name()
                + "]. Global aggregations can only be defined as top level aggregations");
      }
    }
  }

  /// Pages of composite buckets make sense once a document only.
  private static void refuseComposite(String kind, AggregationTree children) {
    boolean hasComposite =
        children.aggregations().stream().anyMatch(child -> child instanceof Composite);
    if (hasComposite && !COMPOSITE_PARENTS.contains(kind)) {
      String words = kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1);
      throw Refusal.badArgument(
          "[composite] aggregation cannot be used with a parent aggregation of type: ["
              + words
              + "AggregatorFactory]");
    }
  }

  /// What goes from bucket to bucket needs buckets in an order.
  private static void refuseUnordered(String kind, AggregationTree children) {
    for (Pipeline pipeline : children.pipelines()) {
      if (SEQUENTIAL.contains(pipeline.kind()) && !SEQUENCES.contains(kind)) {
        throw invalid(
            pipeline.kind()
                + " aggregation ["
                + pipeline.label().name()
                + "] must have a histogram, date_histogram or auto_date_histogram as parent");
      }
    }
  }

  /// What grows from bucket to bucket needs the empty ones too.
  private static void refuseGaps(Aggregation parent, AggregationTree children) {
    if (!(parent instanceof HistogramRequest histogram) || histogram.minDocCount() == 0) {
      return;
    }
    for (Pipeline pipeline : children.pipelines()) {
      if (GAPLESS.contains(pipeline.kind())) {
        throw invalid(
            "parent histogram of "
                + pipeline.kind()
                + " aggregation ["
                + pipeline.label().name()
                + "] must have min_doc_count of 0");
      }
    }
  }

  private static void refuseUnreachable(
      List<Aggregation> parsed, List<Pipeline> pipelines, int depth) {
    for (Pipeline pipeline : pipelines) {
      String first = pipeline.path() == null ? "" : pipeline.path().first();
      boolean isFound =
          first.startsWith("_")
              || parsed.stream().anyMatch(each -> each.name().equals(first))
              || pipelines.stream().anyMatch(each -> each.label().name().equals(first));
      if (pipeline.path() != null && !isFound) {
        throw invalid("No aggregation found for path [" + pipeline.path().path() + "]");
      }
      if (pipeline instanceof Pipeline.Parent && depth == 1) {
        throw invalid(
            pipeline.kind()
                + " aggregation ["
                + pipeline.label().name()
                + "] must be declared inside of another aggregation");
      }
    }
  }

  private static Refusal invalid(String reason) {
    return new Refusal(
        ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: " + reason + ";");
  }

  private static void checkName(String name) {
    if (name.isEmpty() || name.matches(".*[\\[\\]>].*")) {
      throw parsing(
          "Invalid aggregation name ["
              + name
              + "]. Aggregation names can contain any character except '[', ']', and '>'");
    }
  }

  private static @Nullable ObjectNode meta(String name, ObjectNode definition) {
    return switch (definition.get("meta")) {
      case null -> null;
      case ObjectNode object -> object;
      case JsonNode other ->
          throw parsing(
              "Expected [START_OBJECT] under [meta], but got a ["
                  + token(other)
                  + "] in ["
                  + name
                  + "]");
    };
  }

  private static AggregationTree children(
      String name, ObjectNode definition, Function<JsonNode, QueryClause> queries, int depth) {
    String member = definition.has("aggs") ? "aggs" : "aggregations";
    return switch (definition.get(member)) {
      case null -> AggregationTree.NONE;
      case ObjectNode object -> parse(object, queries, depth + 1);
      case JsonNode other ->
          throw parsing(
              "Expected [START_OBJECT] under ["
                  + member
                  + "], but got a ["
                  + token(other)
                  + "] in ["
                  + name
                  + "]");
    };
  }

  private static String kind(String name, ObjectNode definition) {
    String found = null;
    for (Map.Entry<String, JsonNode> member : definition.properties()) {
      String kind = member.getKey();
      if (kind.equals("aggs") || kind.equals("aggregations") || kind.equals("meta")) {
        continue;
      }
      if (!(member.getValue() instanceof ObjectNode)) {
        throw parsing(
            "Expected [START_OBJECT] under ["
                + kind
                + "], but got a ["
                + token(member.getValue())
                + "] in ["
                + name
                + "]");
      }
      if (found != null) {
        throw parsing(
            "Found two aggregation type definitions in ["
                + name
                + "]: ["
                + found
                + "] and ["
                + kind
                + "]");
      }
      if (KINDS.get(kind) == null && PIPELINES.get(kind) == null) {
        throw unknown(kind, definition);
      }
      found = kind;
    }
    if (found == null) {
      throw parsing("Missing definition for aggregation [" + name + "]");
    }
    return found;
  }

  /// Every kind there is, by name.
  public static List<String> names() {
    List<String> names = new ArrayList<>(KINDS.names());
    names.addAll(PIPELINES.names());
    return names;
  }

  private static Refusal unknown(String kind, ObjectNode definition) {
    return Refusal.unknownKind(
        MissingKinds.complaint("Unknown aggregation type [" + kind + "]", kind, names()),
        kind,
        Place.ofValue(definition, kind));
  }

  private static String token(JsonNode node) {
    return switch (node.getNodeType()) {
      case ARRAY -> "START_ARRAY";
      case OBJECT, POJO -> "START_OBJECT";
      case STRING, BINARY -> "VALUE_STRING";
      case NUMBER -> "VALUE_NUMBER";
      case BOOLEAN -> "VALUE_BOOLEAN";
      case NULL, MISSING -> "VALUE_NULL";
    };
  }

  private static Refusal parsing(String reason) {
    return new Refusal(ErrorType.PARSING, reason);
  }
}
