package dev.holdfast.query.phase;

import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// What the values of a search's sorts are. Numbers have an order, and texts have one; indices that
/// have numbers in a field where others have texts have none together.
public final class SortKinds {
  private SortKinds() {}

  /// Why hits of these shards cannot be merged; null when they can.
  public static @Nullable Refusal mixed(SearchSource source, List<ShardResult> results) {
    for (int i = 0; i < source.sorts().size(); i++) {
      String first = null;
      for (ShardResult result : results) {
        String kind = kind(result, i);
        if (first == null) {
          first = kind;
        } else if (kind != null && isText(kind) != isText(first)) {
          return Refusal.badArgument(
              "Can't sort on field ["
                  + source.sorts().get(i).field()
                  + "]; the field has incompatible sort types: ["
                  + first
                  + "] and ["
                  + kind
                  + "] across shards!");
        }
      }
    }
    return null;
  }

  /// Of the hits of a shard; null when they have no values.
  private static @Nullable String kind(ShardResult result, int sort) {
    for (ShardHit hit : result.hits()) {
      Object value = hit.sortValues().get(sort);
      if (value != null) {
        return kind(value);
      }
    }
    return null;
  }

  private static String kind(Object value) {
    return switch (value) {
      case BytesRef _ -> "STRING";
      case Float _ -> "SCORE";
      case Double _ -> "DOUBLE";
      default -> "LONG";
    };
  }

  private static boolean isText(String kind) {
    return kind.equals("STRING");
  }

  /// Whether two values have an order.
  static boolean areAlike(Object a, Object b) {
    return a instanceof BytesRef == b instanceof BytesRef;
  }
}
