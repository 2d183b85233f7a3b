package dev.holdfast.query.aggregation.pipeline;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketPath;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How many different values the buckets of a histogram have had so far: what a bucket adds is new.
public record CumulativeCardinality(Label label, BucketPath path, DisplayFormat shown)
    implements PipelineAggregation.Parent {
  private static final String COUNTED = "cardinality";

  public static PipelineAggregation parse(Label label, JsonObject body) {
    return new CumulativeCardinality(label, BucketPath.parse(body), DisplayFormat.computed(body));
  }

  @Override
  public String kind() {
    return "cumulative_cardinality";
  }

  @Override
  public List<Bucket> compute(List<Bucket> buckets) {
    Partial seen = null;
    List<Bucket> computed = new ArrayList<>(buckets.size());
    for (Bucket bucket : buckets) {
      Partial here = counted(bucket);
      if (here != null) {
        seen = seen == null ? here : seen.merge(here);
      }
      long count = seen == null ? 0 : (long) seen.metric("");
      computed.add(bucket.withChildren(bucket.children().with(label, new Seen(count, shown))));
    }
    return computed;
  }

  /// What the path leads to; null where the bucket has nothing there.
  private @Nullable Partial counted(Bucket bucket) {
    Results inside = bucket.children();
    Partial found = null;
    for (String step : path.path().split(">", -1)) {
      found = inside == null ? null : inside.find(step);
      inside = found == null ? null : found.children();
    }
    if (found != null && !found.typeName().equals(COUNTED)) {
      throw Refusal.badArgument(
          "buckets_path must reference a cardinality aggregation, got: ["
              + found.typeName()
              + "] at aggregation ["
              + path.path()
              + "]");
    }
    return found;
  }

  /// A whole number.
  record Seen(long count, DisplayFormat shown) implements Partial {
    @Override
    public Partial merge(Partial other) {
      throw new IllegalStateException("results of pipelines are final");
    }

    @Override
    public String typeName() {
      return "simple_long_value";
    }

    @Override
    public double metric(String property) {
      return count;
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      out.writeNumberField("value", count);
      if (shown.showsText()) {
        out.writeStringField("value_as_string", shown.format().toText((double) count));
      }
    }

    @Override
    public void write(WireOutput out) {
      throw new IllegalStateException("results of pipelines are final");
    }
  }
}
