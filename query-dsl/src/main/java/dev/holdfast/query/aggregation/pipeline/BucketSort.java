package dev.holdfast.query.aggregation.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketOrder;
import dev.holdfast.query.aggregation.kernel.BucketPath;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.PipelineAggregation;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Sorts the buckets it stands in, and keeps a page of them.
///
/// @param order null to keep the order
public record BucketSort(
    Label label, @Nullable BucketOrder order, int from, int size, BucketPath.Gaps gaps)
    implements PipelineAggregation.Parent {
  public static PipelineAggregation parse(Label label, JsonObject body) {
    int from = body.integer("from", 0);
    int size = body.integer("size", Integer.MAX_VALUE);
    if (from < 0) {
      throw Refusal.badArgument("[from] must be a non-negative integer: [" + from + "]");
    }
    if (size <= 0) {
      throw Refusal.badArgument("[size] must be a positive integer: [" + size + "]");
    }
    List<BucketOrder.Criterion> criteria = new ArrayList<>();
    JsonNode sort = body.take("sort");
    if (sort != null) {
      for (JsonNode each : sort.isArray() ? sort : List.of(sort)) {
        addCriteria(each, criteria);
      }
    }
    if (criteria.isEmpty() && from == 0 && size == Integer.MAX_VALUE) {
      throw Refusal.badArgument(
          "["
              + label.name()
              + "] is configured to perform nothing. Please set either of [sort, size,"
              + " from] to use bucket_sort");
    }
    return new BucketSort(
        label,
        criteria.isEmpty() ? null : new BucketOrder(criteria),
        from,
        size,
        BucketPath.Gaps.parse(body));
  }

  private static void addCriteria(JsonNode sort, List<BucketOrder.Criterion> criteria) {
    if (sort.isTextual()) {
      criteria.add(new BucketOrder.Criterion(sort.asText(), true));
      return;
    }
    if (!sort.isObject()) {
      throw Refusal.badArgument(
          "malformed sort format, within the sort array, an object, or an actual string are"
              + " allowed");
    }
    for (Map.Entry<String, JsonNode> one : sort.properties()) {
      criteria.add(new BucketOrder.Criterion(one.getKey(), isAscending(one.getValue())));
    }
  }

  private static boolean isAscending(JsonNode given) {
    String order;
    if (given.isTextual()) {
      order = given.asText();
    } else {
      JsonObject options = JsonObject.ofKinds("field_sort", given);
      order = options.string("order", "asc");
      options.done();
    }
    return switch (order.toLowerCase(Locale.ROOT)) {
      case "asc" -> true;
      case "desc" -> false;
      default -> throw Refusal.badArgument("No sort order named [" + order + "]");
    };
  }

  @Override
  public String kind() {
    return "bucket_sort";
  }

  @Override
  public @Nullable BucketPath path() {
    return null;
  }

  @Override
  public List<Bucket> compute(List<Bucket> buckets) {
    List<Bucket> sorted = new ArrayList<>(buckets);
    if (order != null) {
      for (BucketOrder.Criterion criterion : order.criteria()) {
        if (gaps == BucketPath.Gaps.SKIP && !criterion.path().startsWith("_")) {
          sorted.removeIf(bucket -> Double.isNaN(bucket.metric(criterion.path())));
        }
      }
      Comparator<Bucket> all = (_, _) -> 0;
      for (BucketOrder.Criterion criterion : order.criteria()) {
        all = all.thenComparing(criterion.comparator());
      }
      sorted.sort(all);
    }
    int start = Math.min(from, sorted.size());
    int end = (int) Math.min((long) start + size, sorted.size());
    return sorted.subList(start, end);
  }
}
