package dev.holdfast.indexing.sweep;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Every blob in the store, shard by shard: one LIST for each thousand.
public final class BlobFolders {
  private static final String ALL_SHARDS = "shards/";
  private static final int LIST_MAX = 1000;

  private final ObjectStore store;

  public BlobFolders(ObjectStore store) {
    this.store = store;
  }

  /// Takes the blobs of one shard.
  @FunctionalInterface
  public interface Visitor {
    /// @param shard of an index whose name is not known here: its uuid is its name
    void visit(ShardId shard, List<BlobId> blobs) throws IOException, InterruptedException;
  }

  /// @return keys that are no blobs of any shard
  public long visitAll(Visitor visitor) throws IOException, InterruptedException {
    long foreign = 0;
    ShardId shard = null;
    List<BlobId> blobs = new ArrayList<>();
    String after = "";
    while (true) {
      List<Listed> page = store.list(ALL_SHARDS, after, LIST_MAX);
      for (Listed listed : page) {
        ShardId of = shard(listed.key());
        Optional<BlobId> blob = of == null ? Optional.empty() : BlobId.parse(of, listed.key());
        if (of == null || blob.isEmpty()) {
          foreign++;
          continue;
        }
        if (shard != null && !shard.equals(of)) {
          visitor.visit(shard, blobs);
          blobs = new ArrayList<>();
        }
        shard = of;
        blobs.add(blob.get());
      }
      if (page.size() < LIST_MAX) {
        break;
      }
      after = page.getLast().key();
    }
    if (shard != null) {
      visitor.visit(shard, blobs);
    }
    return foreign;
  }

  /// The shard in whose folder the key lies; null when it lies in none.
  private static @Nullable ShardId shard(String key) {
    String[] parts = key.split("/", -1);
    if (parts.length != 6 || !parts[3].matches("[0-9]{1,9}")) {
      return null;
    }
    ShardId shard = new ShardId(new IndexId(parts[2], parts[2]), Integer.parseInt(parts[3]));
    return key.startsWith(shard.folder()) ? shard : null;
  }
}
