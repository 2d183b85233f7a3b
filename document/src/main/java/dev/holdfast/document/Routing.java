package dev.holdfast.document;

import java.nio.charset.StandardCharsets;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/// Which shard a document belongs to: Murmur3 (x86, 32 bit, seed 0) of the routing or the id, as
/// Elasticsearch: over the text's UTF-16 code units, low byte first.
public final class Routing {
  private Routing() {}

  /// @param routing null for none: the id routes
  public static int shard(String id, @Nullable String routing, int shards) {
    if (shards == 1) {
      return 0;
    }
    byte[] bytes = (routing == null ? id : routing).getBytes(StandardCharsets.UTF_16LE);
    int hash = StringHelper.murmurhash3_x86_32(bytes, 0, bytes.length, 0);
    // Elasticsearch hashes into a fixed number of routing slots first, so that an index can be
    // split later.
    int slots = routingSlots(shards);
    return Math.floorMod(hash, slots) / (slots / shards);
  }

  /// 1024 divided down to the largest multiple of `shards` that is `shards` times a power of two.
  static int routingSlots(int shards) {
    int doublings = Math.max(1, 10 - (32 - Integer.numberOfLeadingZeros(shards - 1)));
    return shards << doublings;
  }
}
