package dev.holdfast.query.aggregation;

import dev.holdfast.world.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// The sum of a number over a histogram's buckets so far.
record CumulativeSum(Label label, BucketPath path, Shown shown) implements Pipeline.Parent {
  static Pipeline parse(Label label, JsonObject body) {
    return new CumulativeSum(label, BucketPath.parse(body), Shown.computed(body));
  }

  @Override
  public String kind() {
    return "cumulative_sum";
  }

  @Override
  public List<Bucket> compute(List<Bucket> buckets) {
    double sum = 0;
    List<Bucket> computed = new ArrayList<>(buckets.size());
    for (Bucket bucket : buckets) {
      Double number = BucketPath.number(bucket, path.path(), BucketPath.Gaps.ZEROS);
      sum += number == null ? 0 : number;
      computed.add(bucket.withChildren(bucket.children().with(label, SimpleValue.of(sum, shown))));
    }
    return computed;
  }
}
