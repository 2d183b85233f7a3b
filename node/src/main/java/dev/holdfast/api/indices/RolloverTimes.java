package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Json;

/// When an index stopped being the one that an alias writes to: metadata of the index, milliseconds
/// by alias.
public final class RolloverTimes {
  private static final String CUSTOM = "rollover";

  private RolloverTimes() {}

  static IndexMetadata with(IndexMetadata index, String alias, long epochMillis) {
    ObjectNode times =
        index.customs().get(CUSTOM) instanceof ObjectNode kept ? kept.deepCopy() : Json.object();
    return index.withCustom(CUSTOM, times.put(alias, epochMillis));
  }

  /// When the alias was rolled over from this index; 0 when it was not.
  public static long millis(IndexMetadata index, String alias) {
    return index.customs().path(CUSTOM).path(alias).asLong(0);
  }
}
