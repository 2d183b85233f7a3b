package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// Where a pipeline finds its numbers: `sales>price.avg`, `_count`.
record BucketPath(String path) {
  static BucketPath parse(JsonObject body) {
    JsonNode node = body.required("buckets_path");
    JsonNode only = node.isArray() && node.size() == 1 ? node.get(0) : node;
    if (!only.isTextual()) {
      throw Refusal.badArgument(
          "[" + body.context() + "] [buckets_path] must be one path, found " + node);
    }
    return new BucketPath(only.asText());
  }

  /// The aggregation that the path starts at.
  String first() {
    return path.split("[>.\\[]", 2)[0];
  }

  /// The path below the first step; `_count` when there is none.
  String rest() {
    int step = path.indexOf('>');
    return step < 0 ? "_count" : path.substring(step + 1);
  }

  /// What buckets without a number count as.
  enum Gaps {
    SKIP,
    ZEROS,
    KEEP;

    static Gaps parse(JsonObject body) {
      String name = body.string("gap_policy", "skip");
      return switch (name) {
        case "skip" -> SKIP;
        case "insert_zeros" -> ZEROS;
        case "keep_values" -> KEEP;
        default ->
            throw Refusal.badArgument(
                "Invalid gap policy: ["
                    + name
                    + "], accepted values: [insert_zeros, skip, keep_values]");
      };
    }
  }

  /// The number of a bucket; null for a gap that is to be skipped.
  static @Nullable Double number(Bucket bucket, String path, Gaps gaps) {
    double number = bucket.metric(path);
    boolean isGap = Double.isNaN(number) || Double.isInfinite(number);
    boolean isEmpty = bucket.count() == 0 && !path.equals("_count") && gaps != Gaps.KEEP;
    if (!isGap && !isEmpty) {
      return number;
    }
    return gaps == Gaps.ZEROS ? (Double) 0.0 : null;
  }
}
