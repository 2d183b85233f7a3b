package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `max_primary_shard_size` of a shrink: as few shards as that allows.
///
/// @param bytesMax of each shard
public record ShrunkenSize(long bytesMax) {
  private static final String NAME = "max_primary_shard_size";

  /// @return null when nothing is said of it
  /// @throws Refusal for what is no size, or none that a shard could have
  static @Nullable ShrunkenSize read(JsonObject body) {
    JsonNode given = body.take(NAME);
    if (given == null) {
      return null;
    }
    if (!given.isTextual()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[resize_request] "
              + NAME
              + " doesn't support values of type: "
              + JsonObject.token(given));
    }
    long bytes;
    try {
      bytes = ByteSize.parse(NAME, given.asText()).bytes();
    } catch (IllegalArgumentException | Refusal e) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE, "[resize_request] failed to parse field [" + NAME + "]", e);
    }
    if (bytes == 0) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: " + NAME + " must be greater than 0;");
    }
    return new ShrunkenSize(bytes);
  }

  /// The fewest shards that are small enough and can be made of those there are; all of them when
  /// one is larger already.
  public int shards(IndexingShards indexing, IndexMetadata source) throws IOException {
    long bytes =
        ShardFigures.of(indexing, List.of(source)).stream()
            .mapToLong(one -> one.counted().storeBytes())
            .sum();
    int before = source.shards();
    for (int shards = 1; shards < before; shards++) {
      if (before % shards == 0 && bytes / shards <= bytesMax) {
        return shards;
      }
    }
    return before;
  }
}
