package dev.holdfast.search.held;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.search.call.ShardResultCodec;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// How far a scroll has come in one shard.
///
/// @param pages that its client has, as far as its coordinator has said
/// @param total documents that match; -1 before the first page
/// @param last hit of this shard that was shown; null before the first
public record ScrollPosition(long pages, long total, @Nullable ShardHit last) {
  static final ScrollPosition BEGIN = new ScrollPosition(0, -1, null);

  public void write(ObjectNode json) throws IOException {
    json.put("pages", pages).put("total", total);
    if (last != null) {
      json.put("last", WireValues.bytes(ShardResultCodec.HIT, last));
    }
  }

  public static ScrollPosition read(JsonNode json) throws IOException {
    byte[] last = json.path("last").binaryValue();
    return new ScrollPosition(
        json.path("pages").asLong(),
        json.path("total").asLong(-1),
        last == null ? null : WireValues.value(ShardResultCodec.HIT, last));
  }
}
