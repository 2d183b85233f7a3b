package dev.holdfast.query.aggregation.bucket.sample;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.bucket.filter.SelectedDocuments;
import dev.holdfast.query.aggregation.bucket.filter.SelectionCollecting;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/// What a random sample of the documents would say of all of them. Holdfast reads all of them: the
/// answer is the one that samples approach.
///
/// @param seed null for none; shown, as `shardSeed` is: nothing is left to chance
public record RandomSampler(
    Label label,
    double probability,
    @Nullable Integer seed,
    @Nullable Integer shardSeed,
    AggregationTree children)
    implements Aggregation {

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    body.required("probability");
    double probability = body.doubleValue("probability", 1);
    if (!(probability > 0 && (probability <= 0.5 || probability == 1))) {
      throw Refusal.badArgument(
          "[probability] must be between 0.0 and 0.5 or exactly 1.0, was [" + probability + "]");
    }
    return new RandomSampler(
        definition.label(),
        probability,
        seed(body, "seed"),
        seed(body, "shard_seed"),
        definition.children());
  }

  private static @Nullable Integer seed(JsonObject body, String name) {
    return body.has(name) ? (Integer) body.integer(name, 0) : null;
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    if (children.isEmpty()) {
      throw Refusal.badArgument(
          "[random_sampler] aggregation [" + label.name() + "] must have sub-aggregations");
    }
    Collecting all =
        new SelectionCollecting(
            segment -> all(segment),
            1,
            false,
            children.group(context),
            (counts, results) -> new Result(this, counts[0], results[0]));
    return all;
  }

  private static SelectedDocuments[] all(LeafReaderContext segment) {
    return new SelectedDocuments[] {SelectedDocuments.all(segment.reader().maxDoc())};
  }

  @Override
  public long bucketsAlways() {
    return children.bucketsAlways();
  }

  @Override
  public Partial empty() {
    return new Result(this, 0, children.empty());
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return new Result(this, in.data().readVLong(), children.read(in));
  }

  record Result(RandomSampler request, long count, Results children) implements Partial {
    @Override
    public Partial merge(Partial other) {
      Result right = (Result) other;
      return new Result(request, count + right.count, children.merge(right.children));
    }

    @Override
    public Partial reduce(Reduction reduction) {
      return new Result(request, count, request.children.reduce(children, reduction));
    }

    @Override
    public String typeName() {
      return "random_sampler";
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      if (request.seed != null) {
        out.writeNumberField("seed", request.seed);
      }
      if (request.shardSeed != null) {
        out.writeNumberField("shard_seed", request.shardSeed);
      }
      out.writeNumberField("probability", request.probability);
      out.writeNumberField("doc_count", count);
      children.render(out, isTyped);
    }

    @Override
    public double metric(String property) {
      return count;
    }

    @Override
    public void write(WireOutput out) throws IOException {
      out.writeVLong(count);
      children.write(out);
    }
  }
}
