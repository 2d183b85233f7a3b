package dev.holdfast.compoundcommit.directory;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.blobcache.blob.ByteRange;
import dev.holdfast.blobcache.local.LocalFiles;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.Lock;
import org.jspecify.annotations.Nullable;

/// What the readers of a search copy read from (§4.1): the files of the commits it was shown,
/// wherever they lie now. Of files of one name the newest commit's is opened; inputs that are open
/// keep what they read.
public final class SearchDirectory extends ReadOnlyDirectory {
  /// Names a commit: generations alone repeat when an owner dies with commits not uploaded.
  private record Version(long primaryTerm, long generation) implements Comparable<Version> {
    static Version of(CompoundCommit commit) {
      return new Version(commit.primaryTerm(), commit.generation());
    }

    @Override
    public int compareTo(Version other) {
      int byTerm = Long.compare(primaryTerm, other.primaryTerm);
      return byTerm != 0 ? byTerm : Long.compare(generation, other.generation);
    }
  }

  private final ShardId shard;
  private final BlobInputs inputs;
  private final Function<BlobId, Blob> stored;
  private final IndexingReads chunks;
  private final OpenBlobs open = new OpenBlobs();

  /// Guards the rest.
  private final ReentrantLock lock = new ReentrantLock();

  private final TreeMap<Version, CompoundCommit> commits = new TreeMap<>();
  private final TreeMap<BlobId, LiveBlob> blobs = new TreeMap<>();
  private final TreeMap<String, FileLocation> files = new TreeMap<>();
  private final @Nullable FetchedFiles fetched;
  private @Nullable BlobId newestUploaded;

  /// @param stored uploaded blobs
  /// @param chunks the indexing node, for what is not uploaded yet
  public SearchDirectory(
      ShardId shard, BlobInputs inputs, Function<BlobId, Blob> stored, IndexingReads chunks) {
    this(shard, inputs, stored, chunks, null);
  }

  /// @param fetches where files go that are not uploaded yet, when they lie on another node; null:
  ///   they are read from there again and again
  public SearchDirectory(
      ShardId shard,
      BlobInputs inputs,
      Function<BlobId, Blob> stored,
      IndexingReads chunks,
      @Nullable Path fetches) {
    this.shard = shard;
    this.inputs = inputs;
    this.stored = stored;
    this.chunks = chunks;
    this.fetched = fetches == null ? null : new FetchedFiles(fetches);
  }

  /// Copies here what of the commit is not uploaded and lies on another node. One caller at a time.
  public void fetch(CompoundCommit commit) throws IOException {
    FetchedFiles files = fetched;
    if (files == null) {
      return;
    }
    TreeMap<BlobId, TreeMap<String, FileLocation>> byBlob = new TreeMap<>();
    commit
        .files()
        .forEach((name, place) -> {
          if (!files.has(name, place) && chunks.localFile(shard, name).isEmpty()) {
            byBlob.computeIfAbsent(place.blob(), _ -> new TreeMap<>()).put(name, place);
          }
        });
    for (Map.Entry<BlobId, TreeMap<String, FileLocation>> wanted : byBlob.entrySet()) {
      LiveBlob blob;
      lock.lock();
      try {
        blob = blobs.computeIfAbsent(wanted.getKey(), this::live);
      } finally {
        lock.unlock();
      }
      if (!blob.isUploaded()) {
        files.fetch(wanted.getValue(), blob);
      }
    }
  }

  /// Learns what is uploaded.
  public void learn(Optional<BlobId> uploaded) {
    lock.lock();
    try {
      uploaded
          .filter(id -> newestUploaded == null || id.compareTo(newestUploaded) > 0)
          .ifPresent(id -> {
            newestUploaded = id;
            blobs.headMap(id, true).values().forEach(LiveBlob::markUploaded);
          });
    } finally {
      lock.unlock();
    }
  }

  /// Makes the commit's files visible and learns what is uploaded. Older commits stay until
  /// [#retainOnly]. What a reader touches while it opens is fetched from all new blobs at once.
  public void show(CommitNotice notice) {
    List<Blob> added = new ArrayList<>();
    learn(notice.newestUploaded());
    lock.lock();
    try {
      commits.put(Version.of(notice.commit()), notice.commit());
      for (BlobId id : notice.commit().blobs()) {
        if (!blobs.containsKey(id)) {
          LiveBlob blob = live(id);
          blobs.put(id, blob);
          added.add(blob);
        }
      }
      indexFiles();
    } finally {
      lock.unlock();
    }
    if (added.size() > 1) {
      inputs.warmHot(added);
    }
  }

  /// Starts to fetch the files that a shown commit has and another has not: who was searched of
  /// late is going to be searched again (§3.2).
  ///
  /// @param before what is being searched
  /// @param bytesMax larger files, and what lies beyond so many bytes, are left to their readers
  public void warm(CompoundCommit commit, CompoundCommit before, long bytesMax) {
    if (chunks.isHere(shard)) {
      return; // its files are here, and what it uploads it keeps in the cache that both share
    }
    Map<BlobId, List<ByteRange>> ranges = new TreeMap<>();
    long left = bytesMax;
    for (Map.Entry<String, FileLocation> file : commit.files().entrySet()) {
      FileLocation place = file.getValue();
      if (!place.equals(before.files().get(file.getKey())) && place.length() <= left) {
        left -= place.length();
        ranges
            .computeIfAbsent(place.blob(), blob -> new ArrayList<>())
            .add(new ByteRange(place.offset(), place.offset() + place.length()));
      }
    }
    Map<BlobId, LiveBlob> known;
    lock.lock();
    try {
      known = new TreeMap<>(blobs);
    } finally {
      lock.unlock();
    }
    ranges.forEach((id, wanted) -> {
      LiveBlob blob = known.get(id);
      if (blob != null) {
        inputs.warm(blob, wanted);
      }
    });
  }

  /// Forgets every commit but these; open inputs stay valid.
  public void retainOnly(Collection<CompoundCommit> retained) {
    Set<Version> versions = new TreeSet<>();
    retained.forEach(commit -> versions.add(Version.of(commit)));
    lock.lock();
    try {
      commits.keySet().retainAll(versions);
      blobs.keySet().retainAll(blobsInUse());
      indexFiles();
    } finally {
      lock.unlock();
    }
  }

  /// The shown commit of that Lucene generation, of the newest primary term: for
  /// `DirectoryReader.open` and `openIfChanged`.
  ///
  /// @throws NoSuchFileException when it was not shown or is not retained
  public IndexCommit commit(long generation) throws NoSuchFileException {
    lock.lock();
    try {
      for (CompoundCommit commit : commits.descendingMap().values()) {
        if (commit.generation() == generation) {
          return new ShownCommit(this, commit);
        }
      }
    } finally {
      lock.unlock();
    }
    throw new NoSuchFileException("commit " + generation + " of " + shard);
  }

  /// Whether the commit is known to be in the store, by a notice of the owner that made it.
  public boolean isUploaded(CompoundCommit commit) {
    lock.lock();
    try {
      BlobId home = commit.home();
      return newestUploaded != null
          && newestUploaded.primaryTerm() == home.primaryTerm()
          && home.compareTo(newestUploaded) <= 0;
    } finally {
      lock.unlock();
    }
  }

  /// The retained commits and every blob that they or open inputs read (§6.1).
  public InUse inUse() {
    lock.lock();
    try {
      SortedSet<Long> generations = new TreeSet<>();
      commits.keySet().forEach(version -> generations.add(version.generation()));
      return new InUse(generations, blobsInUse());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String[] listAll() {
    lock.lock();
    try {
      return files.keySet().toArray(String[]::new);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long fileLength(String name) throws IOException {
    lock.lock();
    try {
      return located(name).length();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    FileLocation location;
    LiveBlob blob;
    lock.lock();
    try {
      location = located(name);
      blob = blobs.computeIfAbsent(location.blob(), this::live);
      open.add(location.blob());
    } finally {
      lock.unlock();
    }
    return open.open(name, location.blob(), () -> open(name, location, blob, context));
  }

  @Override
  public Lock obtainLock(String name) {
    throw readOnly();
  }

  @Override
  public void close() {
    if (fetched != null) {
      fetched.close();
    }
  }

  private IndexInput open(String name, FileLocation location, LiveBlob blob, IOContext context)
      throws IOException {
    if (!blob.isUploaded()) {
      Optional<Path> file = chunks.localFile(shard, name);
      if (file.isPresent()) {
        IndexInput local = openLocal(file.get(), location.length(), context);
        if (local != null) {
          return local;
        }
      } else if (fetched != null) {
        Optional<IndexInput> copied = fetched.open(name, location);
        if (copied.isPresent()) {
          return copied.get();
        }
      }
    }
    return inputs.open(name, blob, location.offset(), location.length(), context);
  }

  /// Null when the file is gone, or is another owner's of the same name.
  private static @Nullable IndexInput openLocal(Path file, long length, IOContext context)
      throws IOException {
    Path folder = file.getParent();
    try {
      if (folder == null || Files.size(file) != length) {
        return null;
      }
      return LocalFiles.of(folder).openInput(file.getFileName().toString(), context);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private LiveBlob live(BlobId id) {
    LiveBlob live = new LiveBlob(shard, id, stored.apply(id), chunks);
    if (newestUploaded != null && id.compareTo(newestUploaded) <= 0) {
      live.markUploaded();
    }
    return live;
  }

  private FileLocation located(String name) throws NoSuchFileException {
    FileLocation location = files.get(name);
    if (location == null) {
      throw new NoSuchFileException(name + " of " + shard);
    }
    return location;
  }

  private SortedSet<BlobId> blobsInUse() {
    SortedSet<BlobId> inUse = new TreeSet<>(open.blobs());
    commits.values().forEach(commit -> inUse.addAll(commit.blobs()));
    return inUse;
  }

  private void indexFiles() {
    files.clear();
    commits.values().forEach(commit -> files.putAll(commit.files()));
    if (fetched != null) {
      fetched.retain((name, location) -> location.equals(files.get(name)) && !isStored(location));
    }
  }

  private boolean isStored(FileLocation location) {
    return newestUploaded != null && location.blob().compareTo(newestUploaded) <= 0;
  }
}
