package dev.holdfast.query.aggregation.pipeline;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.query.aggregation.column.DistinctHashes;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketPath;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.aggregation.metric.Cardinality;
import dev.holdfast.query.aggregation.metric.ComputedPartial;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How many different values the buckets of a histogram have had so far: what a bucket adds is new.
public record CumulativeCardinality(Label label, BucketPath path, DisplayFormat shown)
    implements PipelineAggregation.Parent {
  public static PipelineAggregation parse(Label label, JsonObject body) {
    return new CumulativeCardinality(label, BucketPath.parse(body), DisplayFormat.computed(body));
  }

  @Override
  public String kind() {
    return "cumulative_cardinality";
  }

  @Override
  public List<Bucket> compute(List<Bucket> buckets) {
    DistinctHashes seen = null;
    List<Bucket> computed = new ArrayList<>(buckets.size());
    for (Bucket bucket : buckets) {
      StopSignal.pollForCancelling();
      Cardinality.Distinct here = counted(bucket);
      if (here != null) {
        seen = seen == null ? new DistinctHashes(here.threshold(), WorkMemory::add) : seen;
        seen.addAll(here.hashes());
      }
      long count = seen == null ? 0 : seen.count();
      computed.add(bucket.withChildren(bucket.children().with(label, new Seen(count, shown))));
    }
    return computed;
  }

  /// What the path leads to; null where the bucket has no documents and nothing there.
  private Cardinality.@Nullable Distinct counted(Bucket bucket) {
    Results inside = bucket.children();
    Partial found = null;
    for (String step : path.path().split(">", -1)) {
      found = inside == null ? null : inside.find(step);
      inside = found == null ? null : found.children();
    }
    if (found instanceof Cardinality.Distinct distinct) {
      return distinct;
    }
    if (found == null && bucket.count() == 0) {
      return null;
    }
    // A number of a cardinality (`users.value`) says how many values there are, not which.
    throw Refusal.badArgument(
        "buckets_path must reference a cardinality aggregation, got: ["
            + (found == null ? "no aggregation" : found.typeName())
            + "] at aggregation ["
            + path.path()
            + "]");
  }

  /// A whole number.
  record Seen(long count, DisplayFormat shown) implements ComputedPartial {
    @Override
    public String typeName() {
      return "simple_long_value";
    }

    @Override
    public boolean isSingleNumber() {
      return true;
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
  }
}
