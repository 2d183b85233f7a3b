package dev.holdfast.indexing.recovery;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.ShardLayout;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.directory.IndexingDirectory;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.Routing;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.resend.RecentWrites;
import dev.holdfast.indexing.resend.SavedWrites;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.indexing.version.SequenceNumbers;
import dev.holdfast.objectstore.InParallel;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreRequest;
import dev.holdfast.world.Promise;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a shard of an index that was cloned, split or shrunk begins (decision 011), and one that is
/// added to an index while that is written to (decision 031). The blobs that the newest commits of
/// its sources need are copied by the store into its own folder; Lucene takes their segments over
/// where they lie; documents that other shards have are deleted. Nobody sees any of this before the
/// first commit of the shard's own is uploaded, and whoever opens the shard does it again, should
/// that not happen: a copy of a blob has one name.
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
  private final boolean isAdded;
  private final CommitStore commits;
  private final List<CompoundCommit> inherited = new ArrayList<>();

  /// Where the commit lies that was copied last, in the folder of its own shard.
  private @Nullable BlobId home;

  /// What is copied, by the name of its copy.
  private final Map<BlobId, String> keys = new HashMap<>();

  /// Copies that are known to be whole.
  private final Set<BlobId> there = new HashSet<>();

  private boolean isOfNewShard; // which has no commit of its own
  private BooleanSupplier isGivenUp = () -> false;
  private long maxSeqNo = SequenceNumbers.NONE;
  private long copies;

  /// @param shards of the index, by which those of the origin are sources
  /// @param isAdded the sources are shards of the same index
  /// @param commits of the shard
  private Inheritance(
      NodeParts node,
      ShardId shard,
      WriteMapping mapping,
      IndexOrigin origin,
      int shards,
      boolean isAdded,
      CommitStore commits) {
    this.world = node.world();
    this.store = node.storage().store();
    this.metadata = node.cluster().metadata();
    this.repositories = node.storage().repositories();
    this.shard = shard;
    this.mapping = mapping;
    this.origin = origin;
    this.shards = shards;
    this.isAdded = isAdded;
    this.commits = commits;
  }

  /// What a shard begins with that has no commit of its own; null for nothing.
  ///
  /// @param mapping of the index
  /// @param commits of the shard
  public static @Nullable Inheritance of(
      NodeParts node, ShardId shard, WriteMapping mapping, CommitStore commits) {
    IndexMetadata index = mapping.metadata();
    IndexSplit split = index.split();
    if (split != null && split.part(shard.number()) != null) {
      return added(node, shard, mapping, split, commits);
    }
    IndexOrigin origin = index.origin();
    return origin == null
        ? null
        : new Inheritance(node, shard, mapping, origin, index.shardsAtFirst(), false, commits);
  }

  /// What a shard will begin with that is added to an index which is written to.
  public static Inheritance added(
      NodeParts node, ShardId shard, WriteMapping mapping, IndexSplit split, CommitStore commits) {
    IndexOrigin own = new IndexOrigin(shard.index().uuid(), split.from());
    return new Inheritance(node, shard, mapping, own, split.to(), true, commits);
  }

  /// Gives up between copies, of which a large shard needs many, when that says so.
  public Inheritance unless(BooleanSupplier givenUp) {
    isGivenUp = givenUp;
    return this;
  }

  /// Copies the blobs of the sources' newest commits that are not there yet. They may have fields
  /// that the origin got after the index was made: its mapping gets them too.
  ///
  /// @throws IOException also when the origin is gone: the shard must not begin empty
  public void copy() throws IOException, InterruptedException {
    IndexSplit split = mapping.metadata().split();
    IndexSplit.Part part = split == null ? null : split.part(shard.number());
    if (part != null) {
      takeOver(part);
      return;
    }
    long startNanos = world.clock().nanoTime();
    SortedMap<BlobId, Long> found = commits.sizes();
    SnapshotReference snapshot = origin.snapshot();
    if (snapshot != null) {
      copySnapshot(snapshot, found);
      tell(startNanos);
      return;
    }
    inherited.clear(); // what is copied once more may be newer
    for (ShardId source : origin.sources(shard.number(), shards)) {
      if (!isAdded && new CommitStore(store, source).isUnwritten(metadata.current())) {
        continue; // nobody has written to it, and while it is resized nobody may
      }
      CompoundCommit newest = copyNewest(source, found);
      inherited.add(newest);
      maxSeqNo = Math.max(maxSeqNo, newest.maxSeqNo());
    }
    if (!isAdded) {
      mapping.growLike(origin.uuid());
    }
    tell(startNanos);
  }

  /// Copies what the last commit of the source, which is uploaded, needs beyond what [#copy] has
  /// copied: writes to it wait, so nothing is asked of the store that is known.
  public void copyLast(CompoundCommit commit) throws IOException {
    ShardId source = origin.sources(shard.number(), shards).getFirst();
    Promise.keep(
        commit.translog().equals(TranslogPosition.NOTHING_TO_REPLAY),
        "a shard that is divided ends with a commit that needs no log",
        "source",
        source,
        "commit",
        commit.home());
    SortedMap<BlobId, BlobId> names = names(source, commit.blobs());
    SortedMap<BlobId, BlobId> missing = new TreeMap<>(names);
    missing.values().removeAll(there);
    copy(source, missing);
    home = commit.home();
    inherited.clear();
    inherited.add(RenamedCommit.of(commit, names));
    maxSeqNo = commit.maxSeqNo();
    isOfNewShard = true;
  }

  boolean isOfNewShard() {
    return isOfNewShard;
  }

  /// What was copied before the shard came into the state: nothing is asked of its source, which
  /// has given its documents away since.
  private void takeOver(IndexSplit.Part part) throws IOException {
    if (part.isEmpty()) {
      return;
    }
    ShardId source = new ShardId(shard.index(), part.source());
    BlobId of = new BlobId(part.blobTerm(), part.blobGeneration());
    CompoundCommit commit = commits.inherited(BlobId.inherited(source, of));
    inherited.add(RenamedCommit.of(commit, names(source, commit.blobs())));
    maxSeqNo = commit.maxSeqNo();
  }

  /// The blob of its source that a shard begins with, after [#copy]; null for none.
  public @Nullable BlobId home() {
    return home;
  }

  /// Looks for the documents that will be foreign, and forgets them: what an opening reads is in
  /// the cache then.
  ///
  /// @param layout as it will be
  /// @param folder for local files
  public void warm(ShardLayout layout, BlobInputs inputs, Path folder) throws IOException {
    ForeignDocuments foreign =
        new ForeignDocuments(
            layout, shard.number(), Routing.partition(mapping.metadata().settings()));
    try (IndexingDirectory directory = new IndexingDirectory(folder, inputs, commits::blob)) {
      for (CompoundCommit commit : inherited) {
        int _ = foreign.countIn(directory.view(commit));
      }
    } finally {
      IOUtils.rm(folder);
    }
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
    if (!origin.isLent(shard.number())) { // else it is read where it lies, until it is copied
      copyAll(
          SnapshotSource.missing(names, lengths, there),
          (blob, name) ->
              from.copy(blob, Objects.requireNonNull(lengths.get(blob)), name.key(shard)));
    }
    CompoundCommit commit =
        RenamedCommit.of(commits.inherited(BlobId.inherited(source, home)), names);
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
  private CompoundCommit copyNewest(ShardId source, SortedMap<BlobId, Long> found)
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
        copy(source, missing(of, names, found));
        there.addAll(names.values());
        home = newest.home();
        return RenamedCommit.of(newest, names);
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
      if (isGivenUp.getAsBoolean()) {
        throw new IOException("the copies of a shard were given up [shard=" + shard + "]");
      }
      int end = Math.min(requests.size(), begin + COPIES_AT_ONCE);
      copies += InParallel.send(world, "copy", requests.subList(begin, end)).size();
    }
  }

  /// Gives Lucene what was copied. Nothing is merged before what is foreign is deleted.
  void give(IndexWriter writer, IndexingDirectory directory) throws IOException {
    MergePolicy merges = writer.getConfig().getMergePolicy();
    writer.getConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    writer.addIndexes(inherited.stream().map(directory::view).toArray(Directory[]::new));
    if (origin.shards() < shards) {
      writer.deleteDocuments(ForeignDocuments.of(mapping.metadata(), shard.number()));
    }
    writer.getConfig().setMergePolicy(merges);
  }

  /// What became of writes to the source that may be sent again: to this shard, when they are of
  /// documents that it has now.
  void remember(RecentWrites recent, IndexingDirectory directory) throws IOException {
    for (CompoundCommit commit : isAdded ? inherited : List.<CompoundCommit>of()) {
      SegmentInfos infos = SegmentInfos.readLatestCommit(directory.view(commit));
      String saved = infos.getUserData().get(SavedWrites.MEMBER);
      if (saved != null) {
        recent.load(saved);
      }
    }
  }
}
