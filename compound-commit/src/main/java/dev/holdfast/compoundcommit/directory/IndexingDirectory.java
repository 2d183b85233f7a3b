package dev.holdfast.compoundcommit.directory;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.blobcache.local.PackedFolder;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.NoLockFactory;
import org.jspecify.annotations.Nullable;

/// What the IndexWriter of a shard writes to and reads from (§4): new files are local, uploaded
/// ones lie in blobs, for a while in both. Nothing is synced: durability is the log's and the
/// store's business. The lease is the lock.
public final class IndexingDirectory extends Directory {
  private final Path folder;
  private final PackedFolder local;
  private final BlobInputs inputs;
  private final Function<BlobId, Blob> blobs;
  private final Consumer<String> onDeleted;
  private final OpenBlobs open = new OpenBlobs();
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private final TreeMap<String, FileLocation> stored = new TreeMap<>();

  /// @param folder its own: what lies there from an earlier life is deleted
  public IndexingDirectory(Path folder, BlobInputs inputs, Function<BlobId, Blob> blobs)
      throws IOException {
    this(folder, inputs, blobs, file -> {});
  }

  /// @param onDeleted hears the name of each file that Lucene deleted
  public IndexingDirectory(
      Path folder, BlobInputs inputs, Function<BlobId, Blob> blobs, Consumer<String> onDeleted)
      throws IOException {
    this.folder = folder;
    this.inputs = inputs;
    this.blobs = blobs;
    this.onDeleted = onDeleted;
    Files.createDirectories(folder);
    try (DirectoryStream<Path> old = Files.newDirectoryStream(folder)) {
      for (Path file : old) {
        Files.delete(file);
      }
    }
    this.local = PackedFolder.of(folder);
  }

  /// Recovery: the commit's files exist, in their blobs.
  public void adopt(CompoundCommit commit) {
    lock.lock();
    try {
      stored.putAll(commit.files());
    } finally {
      lock.unlock();
    }
  }

  /// From now on these can be read from their blobs; names that Lucene deleted meanwhile are
  /// ignored.
  public void uploaded(Map<String, FileLocation> files) {
    lock.lock();
    try {
      files.forEach((name, location) -> {
        if (stored.containsKey(name) || isLocal(name)) {
          stored.put(name, location);
        }
      });
    } finally {
      lock.unlock();
    }
  }

  /// Deletes the local copies of uploaded files; open inputs stay valid, names that are not
  /// uploaded are kept.
  public void dropLocal(Collection<String> files) throws IOException {
    lock.lock();
    try {
      for (String name : files) {
        if (stored.containsKey(name) && isLocal(name)) {
          local.deleteFile(name);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// What lies in blobs, by name; of this moment.
  public Map<String, FileLocation> locations() {
    lock.lock();
    try {
      return Map.copyOf(stored);
    } finally {
      lock.unlock();
    }
  }

  /// A commit that is none of this directory's, but whose files lie in blobs of the shard too. What
  /// Lucene copies from it into this directory stays where it is, under a second name.
  public Directory view(CompoundCommit commit) {
    return new CommitView(this, commit);
  }

  @Override
  public void copyFrom(Directory from, String source, String dest, IOContext context)
      throws IOException {
    if (from instanceof CommitView view && view.isOf(this)) {
      lock.lock();
      try {
        if (isLocal(dest) || stored.putIfAbsent(dest, view.location(source)) != null) {
          throw new FileAlreadyExistsException(dest);
        }
      } finally {
        lock.unlock();
      }
    } else {
      super.copyFrom(from, source, dest, context);
    }
  }

  /// Where the file lies in the store, if it does.
  public Optional<FileLocation> location(String file) {
    return Optional.ofNullable(storedAt(file));
  }

  /// The blobs that hold files of this directory or that an open input reads: not to be deleted.
  public SortedSet<BlobId> referencedBlobs() {
    lock.lock();
    try {
      SortedSet<BlobId> referenced = new TreeSet<>(open.blobs());
      stored.values().forEach(location -> referenced.add(location.blob()));
      return referenced;
    } finally {
      lock.unlock();
    }
  }

  /// Bytes of the local files.
  public long localBytes() throws IOException {
    long bytes = 0;
    for (String name : local.listAll()) {
      bytes += lengthOrNone(name);
    }
    return bytes;
  }

  @Override
  public String[] listAll() throws IOException {
    TreeSet<String> names = new TreeSet<>(Set.of(local.listAll()));
    lock.lock();
    try {
      names.addAll(stored.keySet());
    } finally {
      lock.unlock();
    }
    return names.toArray(String[]::new);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    lock.lock();
    try {
      boolean wasStored = stored.remove(name) != null;
      if (isLocal(name) || !wasStored) {
        local.deleteFile(name);
      }
    } finally {
      lock.unlock();
    }
    onDeleted.accept(name);
  }

  @Override
  public long fileLength(String name) throws IOException {
    FileLocation location = storedAt(name);
    return location == null ? local.fileLength(name) : location.length();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    if (storedAt(name) != null) {
      throw new FileAlreadyExistsException(name, null, "lies in the store");
    }
    return local.createOutput(name, context);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return local.createTempOutput(prefix, suffix, context);
  }

  @Override
  public void sync(Collection<String> names) {}

  @Override
  public void syncMetaData() {}

  @Override
  public void rename(String source, String dest) throws IOException {
    local.rename(source, dest);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    if (isLocal(name)) {
      try {
        return local.openInput(name, context);
      } catch (NoSuchFileException e) {
        if (storedAt(name) == null) {
          throw e;
        }
        // Dropped since we looked: it is uploaded.
      }
    }
    return openHeld(name, storedAndHeld(name), context);
  }

  /// Opens a file of a blob that nothing in this directory needs to name.
  IndexInput openAt(String name, FileLocation location, IOContext context) throws IOException {
    open.add(location.blob());
    return openHeld(name, location, context);
  }

  private IndexInput openHeld(String name, FileLocation location, IOContext context)
      throws IOException {
    return open.open(
        name,
        location.blob(),
        () ->
            inputs.open(
                name, blobs.apply(location.blob()), location.offset(), location.length(), context));
  }

  @Override
  public Lock obtainLock(String name) throws IOException {
    return NoLockFactory.INSTANCE.obtainLock(local, name);
  }

  @Override
  public Set<String> getPendingDeletions() throws IOException {
    return local.getPendingDeletions();
  }

  @Override
  public void close() throws IOException {
    local.close();
  }

  private long lengthOrNone(String name) throws IOException {
    try {
      return local.fileLength(name);
    } catch (NoSuchFileException e) {
      return 0; // deleted since it was listed
    }
  }

  private boolean isLocal(String name) {
    return local.has(name);
  }

  private @Nullable FileLocation storedAt(String name) {
    lock.lock();
    try {
      return stored.get(name);
    } finally {
      lock.unlock();
    }
  }

  /// In one step, so that the blob is never unreferenced between look-up and open.
  private FileLocation storedAndHeld(String name) throws NoSuchFileException {
    lock.lock();
    try {
      FileLocation location = stored.get(name);
      if (location == null) {
        throw new NoSuchFileException(folder.resolve(name).toString());
      }
      open.add(location.blob());
      return location;
    } finally {
      lock.unlock();
    }
  }
}
