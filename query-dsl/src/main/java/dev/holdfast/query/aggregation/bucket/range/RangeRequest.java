package dev.holdfast.query.aggregation.bucket.range;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One range of a request as it was written.
///
/// @param key null for the default, made of its ends
/// @param from null for open
/// @param to null for open
record RangeRequest(@Nullable String key, @Nullable JsonNode from, @Nullable JsonNode to) {
  static List<RangeRequest> parse(JsonObject body, String name) {
    JsonNode ranges = body.take("ranges");
    if (ranges == null || !ranges.isContainerNode() || ranges.isEmpty()) {
      throw Refusal.badArgument("No [ranges] specified for the [" + name + "] aggregation");
    }
    List<RangeRequest> parsed = new ArrayList<>();
    for (JsonNode each : ranges.isObject() ? List.of(ranges) : ranges) {
      if (!each.isObject()) {
        throw new Refusal(ErrorType.PARSING, "[ranges] must hold objects, found " + each);
      }
      JsonObject range = JsonObject.ofKinds(body.context(), each);
      JsonNode given = range.take("key");
      String key = given != null && given.isNumber() ? given.asText() : range.string("key");
      parsed.add(new RangeRequest(key, range.orNull("from"), range.orNull("to")));
      range.done();
    }
    return parsed;
  }
}
