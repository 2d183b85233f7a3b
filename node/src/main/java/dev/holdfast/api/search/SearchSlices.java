package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `slice` of a scroll or of a search of a point in time.
public final class SearchSlices {
  private static final String LIMIT = "index.max_slices_per_scroll";
  private static final String LIMIT_DEFAULT = "1024";

  private SearchSlices() {}

  /// @return null for none
  /// @throws Refusal when it is no slice; one that is not said whole is refused by [#requireWhole]
  public static ShardTarget.@Nullable Slice parse(@Nullable JsonNode given) {
    if (given == null) {
      return null;
    }
    if (given.isNull()) {
      throw new Refusal(ErrorType.PARSING, "Unknown key for a VALUE_NULL in [slice].");
    }
    JsonObject slice = JsonObject.of("slice", given);
    String field = slice.string("field");
    int id = slice.integer("id", -1);
    int max = slice.integer("max", -1);
    slice.done();
    if (given.has("id") && id < 0) {
      throw unread("id", "id must be greater than or equal to 0");
    }
    if (given.has("max") && max <= 1) {
      throw unread("max", "max must be greater than 1");
    }
    if (given.has("id") && given.has("max") && id >= max) {
      throw unread("max", "max must be greater than id");
    }
    return new ShardTarget.Slice(id, max, field == null || field.equals("_id") ? null : field);
  }

  private static Refusal unread(String member, String reason) {
    return new Refusal(
        ErrorType.X_CONTENT_PARSE,
        "[slice] failed to parse field [" + member + "]",
        Refusal.badArgument(reason));
  }

  /// Refuses a part that is not said whole, with the words of a search whose shards all refuse it.
  public static void requireWhole(ShardTarget.@Nullable Slice slice) {
    if (slice != null && (slice.id() < 0 || slice.max() < 0)) {
      throw Refusal.around(
          ErrorType.SEARCH_PHASE_EXECUTION,
          "all shards failed",
          Refusal.badArgument(
              slice.id() < 0
                  ? "id must be greater than or equal to 0"
                  : "max must be greater than 1"));
    }
  }

  /// Refuses more slices than the indices allow.
  public static void requireAllowed(
      ShardTarget.@Nullable Slice slice, List<IndexMetadata> indices) {
    for (IndexMetadata index : indices) {
      int max = Integer.parseInt(index.setting(LIMIT, LIMIT_DEFAULT));
      if (slice != null && slice.max() > max) {
        throw Refusal.badArgument(
            "The number of slices ["
                + slice.max()
                + "] is too large. It must be less than ["
                + max
                + "]. This limit can be set by changing the ["
                + LIMIT
                + "] index level setting.");
      }
    }
  }
}
