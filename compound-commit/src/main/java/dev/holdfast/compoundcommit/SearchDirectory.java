package dev.holdfast.compoundcommit;

import dev.holdfast.blobcache.Blob;
import dev.holdfast.blobcache.BlobInputs;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NoLockFactory;
import org.jspecify.annotations.Nullable;

/// What the readers of a search copy read from (§4.1): the files of the commits it was shown,
/// wherever they lie now. Of files of one name the newest commit's is opened; inputs that are open
/// keep what they read.
public final class SearchDirectory extends Directory {
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
  private @Nullable BlobId newestUploaded;

  /// @param stored uploaded blobs
  /// @param chunks the indexing node, for what is not uploaded yet
  public SearchDirectory(
      ShardId shard, BlobInputs inputs, Function<BlobId, Blob> stored, IndexingReads chunks) {
    this.shard = shard;
    this.inputs = inputs;
    this.stored = stored;
    this.chunks = chunks;
  }

  /// Makes the commit's files visible and learns what is uploaded. Older commits stay until
  /// [#retainOnly].
  public void show(CommitNotice notice) {
    lock.lock();
    try {
      notice
          .newestUploaded()
          .filter(id -> newestUploaded == null || id.compareTo(newestUploaded) > 0)
          .ifPresent(id -> {
            newestUploaded = id;
            blobs.headMap(id, true).values().forEach(LiveBlob::markUploaded);
          });
      commits.put(Version.of(notice.commit()), notice.commit());
      indexFiles();
    } finally {
      lock.unlock();
    }
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
  public void deleteFile(String name) {
    throw readOnly();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) {
    throw readOnly();
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) {
    throw readOnly();
  }

  @Override
  public void sync(Collection<String> names) {
    throw readOnly();
  }

  @Override
  public void syncMetaData() {
    throw readOnly();
  }

  @Override
  public void rename(String source, String dest) {
    throw readOnly();
  }

  @Override
  public Lock obtainLock(String name) {
    throw readOnly();
  }

  @Override
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  @Override
  public void close() {}

  private IndexInput open(String name, FileLocation location, LiveBlob blob, IOContext context)
      throws IOException {
    if (!blob.isUploaded()) {
      Optional<Path> file = chunks.localFile(shard, name);
      if (file.isPresent()) {
        IndexInput local = openLocal(file.get(), location.length(), context);
        if (local != null) {
          return local;
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
      return new MMapDirectory(folder, NoLockFactory.INSTANCE)
          .openInput(file.getFileName().toString(), context);
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
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("a search copy only reads");
  }
}
