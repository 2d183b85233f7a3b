package dev.holdfast.query.aggregation.hits;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/// Numbers or terms of the best documents of a bucket.
///
/// @param metrics fields whose values are shown
/// @param source how many documents, and in which order
public record TopMetrics(Label label, List<String> metrics, SearchSource source)
    implements Aggregation {
  private static final int SIZE_MAX = 10;

  /// @param hits reads how hits within an answer are shown
  public static Aggregation parse(Definition definition, Function<ObjectNode, SearchSource> hits) {
    JsonObject body = definition.body();
    List<String> metrics = new ArrayList<>();
    JsonNode given = body.required("metrics");
    for (JsonNode each : given.isArray() ? given : List.of(given)) {
      JsonObject metric = JsonObject.ofKinds("top_metrics", each);
      metrics.add(metric.requiredText("field"));
      metric.done();
    }
    int size = body.integer("size", 1);
    if (size < 1 || size > SIZE_MAX) {
      throw Refusal.badArgument(
          "[top_metrics.size] must not be more than ["
              + SIZE_MAX
              + "] but was ["
              + size
              + "]. This limit can be set by changing the [index.top_metrics_max_size] index level"
              + " setting.");
    }
    ObjectNode search = Json.object();
    search.put("size", size).put("_source", false);
    search.set("sort", body.required("sort"));
    ArrayNode fields = search.putArray("docvalue_fields");
    metrics.forEach(fields::add);
    return new TopMetrics(definition.label(), List.copyOf(metrics), hits.apply(search));
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    Collecting best =
        new TopHitsCollecting(
            new TopHitsAggregation(label, source),
            new BucketHits(source, context),
            context.memory());
    return new Renamed(this, best);
  }

  /// The hits that `top_hits` finds, kept under this kind's name.
  private record Renamed(TopMetrics request, Collecting best) implements Collecting {
    @Override
    public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
      return best.leaf(segment);
    }

    @Override
    public Partial result(long bucket) throws IOException {
      return new TopMetricsPartial(request, (TopHitsPartial) best.result(bucket));
    }

    @Override
    public boolean needsScores() {
      return best.needsScores();
    }
  }

  @Override
  public Partial empty() {
    return new TopMetricsPartial(
        this, new TopHitsPartial(new TopHitsAggregation(label, source), 0, Float.NaN, List.of()));
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return new TopMetricsPartial(
        this, TopHitsPartial.read(in, new TopHitsAggregation(label, source)));
  }
}
