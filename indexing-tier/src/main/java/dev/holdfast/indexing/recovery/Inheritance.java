package dev.holdfast.indexing.recovery;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.directory.IndexingDirectory;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.Routing;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.indexing.version.SequenceNumbers;
import dev.holdfast.objectstore.InParallel;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreRequest;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a shard of an index that was cloned, split or shrunk begins (decision 011). The blobs that
/// the newest commits of its sources need are copied by the store into its own folder; Lucene takes
/// their segments over where they lie; documents that other shards have are deleted. All of this is
/// seen by nobody before the first commit of the shard's own is uploaded, and is done again from
/// the start by whoever opens the shard, should that not happen: a copy of a blob has one name.
public final class Inheritance {
  private static final Logger LOG = LoggerFactory.getLogger(Inheritance.class);

  /// Copies that the store makes at once for a shard.
  private static final int COPIES_AT_ONCE = 8;

  /// How often a source may delete what is being copied.
  private static final int VANISHED_MAX = 5;

  private final World world;
  private final ObjectStore store;
  private final Metadata metadata;
  private final RepositoryStores repositories;
  private final ShardId shard;
  private final WriteMapping mapping;
  private final IndexOrigin origin;
  private final int shards;
  private final CommitStore commits;
  private final List<CompoundCommit> inherited = new ArrayList<>();

  /// What is copied, by the name of its copy.
  private final Map<BlobId, String> keys = new HashMap<>();

  private long maxSeqNo = SequenceNumbers.NONE;
  private long copies;

  /// @param repositories of snapshots
  /// @param mapping of the index
  /// @param commits of the shard
  public Inheritance(
      World world,
      ObjectStore store,
      Metadata metadata,
      RepositoryStores repositories,
      ShardId shard,
      WriteMapping mapping,
      IndexOrigin origin,
      CommitStore commits) {
    this.world = world;
    this.store = store;
    this.metadata = metadata;
    this.repositories = repositories;
    this.shard = shard;
    this.mapping = mapping;
    this.origin = origin;
    this.shards = mapping.metadata().shards();
    this.commits = commits;
  }

  /// Copies the blobs of the sources' newest commits that are not there yet. They may have fields
  /// that the origin got after the index was made: its mapping gets them too.
  ///
  /// @throws IOException also when the origin is gone: the shard must not begin empty
  public void copy() throws IOException, InterruptedException {
    long startNanos = world.clock().nanoTime();
    SortedMap<BlobId, Long> there = commits.sizes();
    SnapshotReference snapshot = origin.snapshot();
    if (snapshot != null) {
      copySnapshot(snapshot, there);
      tell(startNanos);
      return;
    }
    for (ShardId source : origin.sources(shard.number(), shards)) {
      if (UploadMarks.isUntouched(metadata.current(), source)) {
        continue; // nobody has written to it, and while it is resized nobody may
      }
      CompoundCommit newest = copyNewest(source, there);
      inherited.add(newest);
      maxSeqNo = Math.max(maxSeqNo, newest.maxSeqNo());
    }
    mapping.growLike(origin.uuid());
    tell(startNanos);
  }

  /// Copies what a snapshot has of the shard of that number (decision 027), if it has anything.
  private void copySnapshot(SnapshotReference reference, SortedMap<BlobId, Long> there)
      throws IOException {
    SnapshotRepository repository =
        repositories.open(Repositories.of(metadata.current(), reference.repository()));
    ShardId source = new ShardId(new IndexId(origin.uuid(), origin.uuid()), shard.number());
    SnapshottedShard taken =
        SnapshotSource.of(repository, reference, origin.uuid(), shard.number());
    BlobId home = taken.home();
    if (home == null) {
      return;
    }
    SortedMap<BlobId, BlobId> names = names(source, taken.blobs());
    SnapshotSource from = new SnapshotSource(repository, store, source);
    SortedMap<BlobId, Long> lengths = from.lengths(taken.blobs());
    SortedMap<BlobId, BlobId> missing = new TreeMap<>(names);
    missing
        .entrySet()
        .removeIf(copy -> Objects.equals(lengths.get(copy.getKey()), there.get(copy.getValue())));
    copyAll(
        missing,
        (blob, name) ->
            from.copy(blob, Objects.requireNonNull(lengths.get(blob)), name.key(shard)));
    CompoundCommit commit = renamed(commits.inherited(BlobId.inherited(source, home)), names);
    inherited.add(commit);
    maxSeqNo = commit.maxSeqNo();
  }

  private void tell(long startNanos) {
    LOG.info(
        "copied what a shard begins with [shard={}, origin={}, blobs={}, millis={}]",
        shard,
        origin.uuid(),
        copies,
        (world.clock().nanoTime() - startNanos) / 1_000_000);
  }

  /// The highest sequence number in what was copied.
  long maxSeqNo() {
    return maxSeqNo;
  }

  /// A source that goes on may delete a blob before it is copied, when a newer commit needs it no
  /// more.
  private CompoundCommit copyNewest(ShardId source, SortedMap<BlobId, Long> there)
      throws IOException {
    CommitStore of = new CommitStore(store, source);
    for (int attempt = 1; ; attempt++) {
      UploadMark mark = UploadMarks.of(metadata.current(), source);
      CompoundCommit newest =
          of.newest(mark.isMarked() ? new BlobId(mark.primaryTerm(), mark.generation()) : null)
              .orElseThrow(() ->
                  new IOException(
                      "what the shard was to begin with is gone [shard="
                          + shard
                          + ", source="
                          + source.folder()
                          + "]"));
      SortedMap<BlobId, BlobId> names = names(source, newest.blobs());
      try {
        copy(source, missing(of, names, there));
        return renamed(newest, names);
      } catch (StoreException.NotFound e) {
        if (attempt == VANISHED_MAX) {
          throw e;
        }
      }
    }
  }

  private SortedMap<BlobId, BlobId> names(ShardId source, SortedSet<BlobId> blobs)
      throws IOException {
    SortedMap<BlobId, BlobId> names = new TreeMap<>();
    for (BlobId blob : blobs) {
      BlobId name = BlobId.inherited(source, blob);
      String key = blob.key(source);
      if (!keys.computeIfAbsent(name, _ -> key).equals(key)) {
        throw new IOException(
            "two blobs would have one name [blob=" + key + ", name=" + name + "]");
      }
      names.put(blob, name);
    }
    return names;
  }

  /// What an earlier try has not copied. Some stores show a copy before it has all its bytes.
  private static SortedMap<BlobId, BlobId> missing(
      CommitStore source, SortedMap<BlobId, BlobId> names, SortedMap<BlobId, Long> there)
      throws IOException {
    if (there.isEmpty()) {
      return names;
    }
    SortedMap<BlobId, Long> lengths = source.sizes();
    SortedMap<BlobId, BlobId> missing = new TreeMap<>(names);
    missing
        .entrySet()
        .removeIf(copy -> {
          Long length = there.get(copy.getValue());
          return length != null && length.equals(lengths.get(copy.getKey()));
        });
    return missing;
  }

  private void copy(ShardId source, SortedMap<BlobId, BlobId> names) throws IOException {
    copyAll(names, (blob, name) -> store.copy(blob.key(source), name.key(shard)));
  }

  /// Makes one copy.
  @FunctionalInterface
  private interface Copying {
    void copy(BlobId blob, BlobId name) throws StoreException;
  }

  private void copyAll(SortedMap<BlobId, BlobId> names, Copying copying) throws IOException {
    List<StoreRequest<BlobId>> requests = new ArrayList<>();
    names.forEach((blob, name) ->
        requests.add(() -> {
          copying.copy(blob, name);
          return name;
        }));
    for (int begin = 0; begin < requests.size(); begin += COPIES_AT_ONCE) {
      int end = Math.min(requests.size(), begin + COPIES_AT_ONCE);
      copies += InParallel.send(world, "copy", requests.subList(begin, end)).size();
    }
  }

  private static CompoundCommit renamed(CompoundCommit commit, SortedMap<BlobId, BlobId> names) {
    SortedMap<String, FileLocation> files = new TreeMap<>();
    commit
        .files()
        .forEach((file, place) -> {
          BlobId blob = names.getOrDefault(place.blob(), place.blob());
          files.put(file, new FileLocation(blob, place.offset(), place.length()));
        });
    return new CompoundCommit(
        commit.primaryTerm(),
        commit.generation(),
        commit.segmentsFile(),
        TranslogPosition.NOTHING_TO_REPLAY,
        commit.maxSeqNo(),
        commit.documents(),
        commit.createdMillis(),
        files);
  }

  /// Gives Lucene what was copied. Nothing is merged before what is foreign is deleted.
  void give(IndexWriter writer, IndexingDirectory directory) throws IOException {
    MergePolicy merges = writer.getConfig().getMergePolicy();
    writer.getConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    writer.addIndexes(inherited.stream().map(directory::view).toArray(Directory[]::new));
    if (origin.shards() < shards) {
      writer.deleteDocuments(
          new ForeignDocuments(
              shards, shard.number(), Routing.partition(mapping.metadata().settings())));
    }
    writer.getConfig().setMergePolicy(merges);
  }
}
