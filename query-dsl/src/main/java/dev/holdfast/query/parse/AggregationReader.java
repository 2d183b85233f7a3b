package dev.holdfast.query.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.UnsupportedFeatures;
import dev.holdfast.query.aggregation.bucket.filter.Global;
import dev.holdfast.query.aggregation.bucket.histogram.HistogramRequest;
import dev.holdfast.query.aggregation.bucket.sample.RandomSampler;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads the aggregations at one depth of nesting and refuses those that stand where they cannot.
///
/// @param kinds what collects documents, by the names that requests use
/// @param pipelines what computes from results of others, likewise
/// @param queries reads a query inside an aggregation
/// @param depth of the aggregations it reads; the outermost is 1
/// @param around kind of the nearest aggregation around them that makes buckets of its own; empty
///   for none
/// @param above the aggregations around them, the outermost first
record AggregationReader(
    Registry<Aggregations.Parser> kinds,
    Registry<Aggregations.PipelineParser> pipelines,
    Function<JsonNode, QueryClause> queries,
    int depth,
    String around,
    List<Around> above) {
  /// An aggregation around others.
  record Around(String kind, String name) {}

  /// How deep aggregations may nest.
  static final int DEPTH_MAX = 100;

  private static final Set<String> COMPOSITE_PARENTS = Set.of("nested", "filter", "random_sampler");

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

  /// Reads the value of `aggs`: aggregations by the client's names, in order.
  ///
  /// @throws Refusal `parsing_exception` for an unknown kind and for anything malformed
  AggregationTree read(ObjectNode aggregations) {
    if (depth > DEPTH_MAX) {
      throw Refusal.badArgument("aggregations nest deeper than [" + DEPTH_MAX + "]");
    }
    List<Aggregation> parsed = new ArrayList<>();
    List<PipelineAggregation> siblings = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : aggregations.properties()) {
      one(member.getKey(), member.getValue(), parsed, siblings);
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
    refuseUnreachable(parsed, siblings);
    return new AggregationTree(parsed, siblings);
  }

  private void one(
      String name,
      JsonNode definition,
      List<Aggregation> parsed,
      List<PipelineAggregation> siblings) {
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
    refuseComposite(kind);
    if (kind.equals("time_series")) {
      refuseSeries(name);
    }
    Label label = new Label(name, meta(name, object));
    AggregationTree children = children(kind, name, object);
    JsonObject body = JsonObject.ofKinds(kind, object.get(kind));
    Aggregations.Parser parser = kinds.get(kind);
    Aggregations.PipelineParser pipeline = pipelines.get(kind);
    if (parser != null) {
      Aggregation aggregation =
          parser.parse(
              new Definition(
                  label, body, children, queries, above.stream().map(Around::kind).toList()));
      if (!children.isEmpty() && !aggregation.takesChildren()) {
        throw Refusal.badArgument(
            "Aggregator [" + name + "] of type [" + kind + "] cannot accept sub-aggregations");
      }
      refuseGlobal(name, children);
      refuseUnordered(kind, children);
      refuseGaps(aggregation, children);
      parsed.add(aggregation);
    } else if (pipeline != null) {
      if (!children.isEmpty()) {
        throw Refusal.badArgument("Aggregation [" + name + "] cannot define sub-aggregations");
      }
      siblings.add(pipeline.parse(label, body));
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
  private void refuseComposite(String kind) {
    if (kind.equals("composite") && !around.isEmpty()) {
      String words =
          Arrays.stream(around.split("_"))
              .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
              .collect(Collectors.joining());
      throw Refusal.badArgument(
          "[composite] aggregation cannot be used with a parent aggregation of type: ["
              + words
              + "AggregatorFactory]");
    }
  }

  private List<Around> inside(String kind, String name) {
    List<Around> all = new ArrayList<>(above);
    all.add(new Around(kind, name));
    return List.copyOf(all);
  }

  /// Series are told apart document by document, whatever is around.
  private void refuseSeries(String name) {
    for (Around outer : above) {
      switch (outer.kind) {
        case "composite" ->
            throw Refusal.badArgument(
                "[composite] aggregation is incompatible with time series execution mode");
        case "global" ->
            throw Refusal.badArgument(
                "Time series aggregations cannot be used inside global aggregation.");
        case "random_sampler" ->
            throw Refusal.badArgument(
                "[random_sampler] aggregation ["
                    + outer.name
                    + "] does not support sampling [time_series] aggregation ["
                    + name
                    + "]");
        default -> {}
      }
    }
  }

  /// What goes from bucket to bucket needs buckets in an order.
  private static void refuseUnordered(String kind, AggregationTree children) {
    for (PipelineAggregation pipeline : children.pipelines()) {
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
    for (PipelineAggregation pipeline : children.pipelines()) {
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

  private void refuseUnreachable(List<Aggregation> parsed, List<PipelineAggregation> siblings) {
    for (PipelineAggregation pipeline : siblings) {
      String first = pipeline.path() == null ? "" : pipeline.path().first();
      boolean isFound =
          first.startsWith("_")
              || parsed.stream().anyMatch(each -> each.name().equals(first))
              || siblings.stream().anyMatch(each -> each.label().name().equals(first));
      if (pipeline.path() != null && !isFound) {
        throw invalid("No aggregation found for path [" + pipeline.path().path() + "]");
      }
      if (pipeline instanceof PipelineAggregation.Parent && depth == 1) {
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

  private AggregationTree children(String kind, String name, ObjectNode definition) {
    if (definition.has("aggs") && definition.has("aggregations")) {
      throw parsing("Found two sub aggregation definitions under [" + name + "]");
    }
    String member = definition.has("aggs") ? "aggs" : "aggregations";
    return switch (definition.get(member)) {
      case null -> AggregationTree.NONE;
      case ObjectNode object ->
          new AggregationReader(
                  kinds,
                  pipelines,
                  queries,
                  depth + 1,
                  COMPOSITE_PARENTS.contains(kind) ? around : kind,
                  inside(kind, name))
              .read(object);
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

  private String kind(String name, ObjectNode definition) {
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
      if (kinds.get(kind) == null && pipelines.get(kind) == null) {
        throw unknown(kind, definition);
      }
      found = kind;
    }
    if (found == null) {
      throw parsing("Missing definition for aggregation [" + name + "]");
    }
    return found;
  }

  private Refusal unknown(String kind, ObjectNode definition) {
    List<String> names = new ArrayList<>(kinds.names());
    names.addAll(pipelines.names());
    return Refusal.unknownKind(
        UnsupportedFeatures.complaint("Unknown aggregation type [" + kind + "]", kind, names),
        kind,
        MemberLocation.ofValue(definition, kind));
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
