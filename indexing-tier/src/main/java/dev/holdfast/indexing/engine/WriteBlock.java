package dev.holdfast.indexing.engine;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;

/// Blocks of an index (`index.blocks.*`), as its owner knows them in the moment in which a write is
/// applied. Who sent the write may have looked at an earlier state, a minute ago; what is applied
/// after the owner has flushed a read-only index is missing in the index that is shrunk or
/// downsampled from it, and lost when that one takes its place.
public final class WriteBlock {
  private static final Map<String, String> FOR_GOOD =
      Map.of(
          "index.blocks.read_only", "[FORBIDDEN/5/index read-only (api)];",
          "index.blocks.write", "[FORBIDDEN/8/index write (api)];");

  private static final String FOR_NOW =
      "[TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has"
          + " read-only-allow-delete block; for more information, see"
          + " https://www.elastic.co/docs];";

  private WriteBlock() {}

  /// Whether a write was refused because of the settings of its index; a full disk or store, which
  /// is told by the same type, names no index.
  public static boolean isOne(Refusal refusal) {
    boolean isBlock =
        refusal.type() == ErrorType.CLUSTER_BLOCK
            || refusal.type() == ErrorType.CLUSTER_BLOCK_FOR_NOW;
    return isBlock && refusal.metadata().containsKey("index_uuid");
  }

  /// The caller holds the gate shared: a commit that is made after the block was heard of holds all
  /// that was ever acknowledged.
  ///
  /// @throws Refusal `unavailable_shards_exception` when the shard is not open,
  ///   `cluster_block_exception` when nobody may write
  static void requireWritable(ShardEngine engine, ClusterState state) {
    engine.ensureOpen();
    IndexMetadata index = state.indices().get(engine.shard.index().name());
    if (index == null || !index.id().equals(engine.shard.index())) {
      return; // it is being deleted: whoever closes the shard says so
    }
    List<String> blocks =
        FOR_GOOD.entrySet().stream()
            .filter(block -> isSet(index, block.getKey()))
            .map(Map.Entry::getValue)
            .sorted()
            .toList();
    boolean isForNow = isSet(index, "index.blocks.read_only_allow_delete");
    if (!blocks.isEmpty() || isForNow) {
      throw new Refusal(
              blocks.isEmpty() ? ErrorType.CLUSTER_BLOCK_FOR_NOW : ErrorType.CLUSTER_BLOCK,
              "index ["
                  + index.id().name()
                  + "] blocked by: "
                  + String.join("", blocks)
                  + (isForNow ? FOR_NOW : ""))
          .with("index_uuid", index.id().uuid())
          .with("index", index.id().name());
    }
  }

  private static boolean isSet(IndexMetadata index, String setting) {
    return index.setting(setting, "false").equals("true");
  }
}
