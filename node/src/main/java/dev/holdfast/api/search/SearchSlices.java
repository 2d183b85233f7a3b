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
final class SearchSlices {
  private static final String LIMIT = "index.max_slices_per_scroll";
  private static final String LIMIT_DEFAULT = "1024";

  private SearchSlices() {}

  static ShardTarget.@Nullable Slice parse(@Nullable JsonNode given) {
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
    if (id < 0) {
      throw Refusal.badArgument("id must be greater than or equal to 0");
    }
    if (max <= 1) {
      throw Refusal.badArgument("max must be greater than 1");
    }
    if (id >= max) {
      throw Refusal.badArgument("max must be greater than id");
    }
    return new ShardTarget.Slice(id, max, field == null || field.equals("_id") ? null : field);
  }

  static void requireAllowed(ShardTarget.@Nullable Slice slice, List<IndexMetadata> indices) {
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
