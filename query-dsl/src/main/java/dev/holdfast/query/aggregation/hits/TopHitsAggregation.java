package dev.holdfast.query.aggregation.hits;

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
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// `top_hits`: the best documents of a bucket, shown as hits are.
public record TopHitsAggregation(Label label, SearchSource source) implements Aggregation {
  private static final int SIZE_DEFAULT = 3;
  private static final int WINDOW_MAX = 100;
  private static final Set<String> MEMBERS =
      Set.of(
          "from",
          "size",
          "sort",
          "_source",
          "script_fields",
          "highlight",
          "explain",
          "fields",
          "docvalue_fields",
          "stored_fields",
          "version",
          "seq_no_primary_term",
          "track_scores");

  /// @param hits reads how hits within an answer are shown
  public static Aggregation parse(Definition definition, Function<ObjectNode, SearchSource> hits) {
    JsonObject body = definition.body();
    ObjectNode search = Json.object();
    search.put("size", SIZE_DEFAULT);
    for (String name : List.copyOf(body.rest())) {
      if (MEMBERS.contains(name)) {
        search.set(name, body.take(name));
      }
    }
    SearchSource source = hits.apply(search);
    if ((long) source.from() + source.size() > WINDOW_MAX) {
      throw Refusal.badArgument(
          "Top hits result window is too large, the top hits aggregator ["
              + definition.label().name()
              + "]'s from + size must be less than or equal to: ["
              + WINDOW_MAX
              + "] but was ["
              + ((long) source.from() + source.size())
              + "]. This limit can be set by changing the [index.max_inner_result_window] index"
              + " level setting.");
    }
    return new TopHitsAggregation(definition.label(), source);
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    return new TopHitsCollecting(this, new BucketHits(source, context), context.memory());
  }

  @Override
  public Partial empty() {
    return new TopHitsPartial(this, 0, Float.NaN, List.of());
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return TopHitsPartial.read(in, this);
  }
}
