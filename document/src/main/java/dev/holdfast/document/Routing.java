package dev.holdfast.document;

import java.nio.charset.StandardCharsets;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/// Which shard a document belongs to: Murmur3 (x86, 32 bit, seed 0) of the routing or the id, as
/// Elasticsearch: over the text's UTF-16 code units, low byte first; modulo the number of shards,
/// as Elasticsearch since 9.1. So a shard of `n` splits into those of `2 n` that are equal to it
/// modulo `n`.
public final class Routing {
  private Routing() {}

  /// @param routing null for none: the id routes
  public static int shard(String id, @Nullable String routing, int shards) {
    if (shards == 1) {
      return 0;
    }
    byte[] bytes = (routing == null ? id : routing).getBytes(StandardCharsets.UTF_16LE);
    int hash = StringHelper.murmurhash3_x86_32(bytes, 0, bytes.length, 0);
    return Math.floorMod(hash, shards);
  }
}
