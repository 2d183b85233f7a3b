package dev.holdfast.query.aggregation.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// Where a pipeline finds its numbers: `sales>price.avg`, `_count`.
public record BucketPath(String path) {
  public static BucketPath parse(JsonObject body) {
    JsonNode node = body.required("buckets_path");
    JsonNode only = node.isArray() && node.size() == 1 ? node.get(0) : node;
    if (!only.isTextual()) {
      throw Refusal.badArgument(
          "[" + body.context() + "] [buckets_path] must be one path, found " + node);
    }
    return new BucketPath(only.asText());
  }

  /// The aggregation that the path starts at.
  public String first() {
    return path.split("[>.\\[]", 2)[0];
  }

  /// The path below the first step; `_count` when there is none. A dot steps into buckets, too.
  public String rest() {
    int step = path.indexOf('>');
    if (step < 0) {
      step = path.indexOf('.');
    }
    return step < 0 ? "_count" : path.substring(step + 1);
  }

  /// The sibling of many buckets that a pipeline reads.
  ///
  /// @param label of the pipeline, for messages
  public Bucketed bucketed(Results siblings, Label label) {
    if (siblings.find(first()) instanceof Bucketed bucketed) {
      return bucketed;
    }
    throw Refusal.badArgument(
        "The first aggregation in buckets_path must be a multi-bucket aggregation for"
            + " aggregation ["
            + label.name()
            + "] found: ["
            + first()
            + "]");
  }

  /// What buckets without a number count as.
  public enum Gaps {
    SKIP,
    ZEROS,
    KEEP;

    public static Gaps parse(JsonObject body) {
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
  public static @Nullable Double number(Bucket bucket, String path, Gaps gaps) {
    check(bucket, path);
    double number = bucket.metric(path);
    boolean isGap = Double.isNaN(number) || Double.isInfinite(number);
    boolean isEmpty = bucket.count() == 0 && !path.equals("_count") && gaps != Gaps.KEEP;
    if (!isGap && !isEmpty) {
      return number;
    }
    return gaps == Gaps.ZEROS ? (Double) 0.0 : null;
  }

  /// Refuses a path that ends at an aggregation with no number, or with several.
  private static void check(Bucket bucket, String path) {
    Partial last = path.indexOf('>') < 0 ? bucket.children().find(path) : null;
    if (last instanceof Bucketed) {
      throw Results.noNumber("[" + className(last) + "] at aggregation [" + path + "]");
    }
    if (last != null && last.hasSeveralNumbers()) {
      throw Results.noNumber(
          "but [" + path + "] contains multiple values. Please specify which to use.");
    }
  }

  /// Elasticsearch's name for the result.
  private static String className(Partial partial) {
    return switch (partial.typeName()) {
      case "sterms" -> "StringTerms";
      case "lterms" -> "LongTerms";
      case "dterms" -> "DoubleTerms";
      case "date_histogram" -> "InternalDateHistogram";
      case "histogram" -> "InternalHistogram";
      default -> partial.typeName();
    };
  }
}
