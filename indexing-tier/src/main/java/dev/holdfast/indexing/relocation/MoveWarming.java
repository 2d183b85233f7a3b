package dev.holdfast.indexing.relocation;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.codec.HoldfastCodec;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.directory.IndexingDirectory;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.mapping.IndexSort;
import dev.holdfast.indexing.engine.MappedFormats;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.version.IdLookup;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.Sort;
import org.apache.lucene.util.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens a shard that is to move here while its owner still has it open, and forgets it again: what
/// its newest commit needs is in the cache then, and code that runs for the first time has run,
/// before writes wait for this node. Nothing of it is seen by anybody, and nothing rests on it. The
/// owner serves on for as long as that takes, as a rule ([MovePace]).
final class MoveWarming {
  private static final Logger LOG = LoggerFactory.getLogger(MoveWarming.class);

  /// Of no document; it is looked for as a write looks for its own.
  private static final String NOBODY = "";

  private final World world;
  private final ObjectStore store;
  private final BlobInputs inputs;
  private final Ownership ownership;
  private final Path scratch;
  private final Function<ShardId, WriteMapping> mappings;
  private final Set<ShardId> begun = ConcurrentHashMap.newKeySet();

  /// @param inputs the cache that is warmed
  /// @param scratch for local files that no restart needs
  MoveWarming(
      World world,
      ObjectStore store,
      BlobInputs inputs,
      Ownership ownership,
      Path scratch,
      Function<ShardId, WriteMapping> mappings) {
    this.world = world;
    this.store = store;
    this.inputs = inputs;
    this.ownership = ownership;
    this.scratch = scratch;
    this.mappings = mappings;
  }

  /// Begins when a shard is to come here; blocks nowhere.
  void follow(ShardId shard, ShardAssignment now) {
    String self = ownership.nodeEphemeralId();
    if (!now.target().equals(self) || now.owner().equals(self)) {
      begun.remove(shard);
    } else if (begun.add(shard)) {
      var _ = world.tasks().start("move-warming", () -> begin(shard));
    }
  }

  private void begin(ShardId shard) {
    try {
      warm(shard);
    } catch (IOException | RuntimeException e) {
      LOG.debug("a shard moves here without being warmed [shard={}]", shard, e);
    }
  }

  void warm(ShardId shard) throws IOException {
    CommitStore commits = new CommitStore(store, shard);
    Optional<CompoundCommit> newest = commits.newest(null);
    if (newest.isEmpty()) {
      return;
    }
    Path folder = scratch.resolve(shard.index().uuid()).resolve(shard.number() + "-warming");
    try (IndexingDirectory directory = new IndexingDirectory(folder, inputs, commits::blob)) {
      directory.adopt(newest.get());
      IndexWriter writer = new IndexWriter(directory, config(mappings.apply(shard)));
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        IdLookup.Found _ = new IdLookup(reader).find(NOBODY);
        long _ = writer.addDocument(List.of());
        long _ = writer.commit(); // into the folder that goes
      } finally {
        writer.rollback();
      }
    } finally {
      IOUtils.rm(folder);
    }
  }

  private static IndexWriterConfig config(WriteMapping mapping) {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setOpenMode(OpenMode.APPEND);
    config.setCodec(
        HoldfastCodec.of(
            mapping.metadata().setting("index.codec", "default"), MappedFormats.of(mapping)));
    Sort sort = IndexSort.of(mapping.newest(), mapping.metadata().settings());
    if (sort != null) {
      config.setIndexSort(sort);
    }
    config.setUseCompoundFile(false);
    config.setMergePolicy(NoMergePolicy.INSTANCE);
    config.setCommitOnClose(false);
    return config;
  }
}
