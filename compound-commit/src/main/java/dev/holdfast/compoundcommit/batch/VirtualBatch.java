package dev.holdfast.compoundcommit.batch;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.blobcache.local.LocalFiles;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.blob.BlobSection;
import dev.holdfast.compoundcommit.blob.BlobTrailer;
import dev.holdfast.compoundcommit.blob.ChecksumTable;
import dev.holdfast.compoundcommit.blob.CommitDirectory;
import dev.holdfast.compoundcommit.blob.HotRanges;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Promise;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// The virtual batched compound commit (VBCC, §4): the commits of a shard that are not uploaded
/// yet, laid out as the blob they will become. Holds the files open, so that their bytes stay even
/// when Lucene deletes them. Chunks can be read at any time; one thread appends at a time.
public final class VirtualBatch implements Closeable {
  /// Files begin at multiples of this, as they do in Lucene's compound files.
  private static final int FILE_ALIGNMENT = 64;

  private final ShardId shard;
  private final BlobId id;
  private final Path localFolder;
  private final ReentrantLock lock = new ReentrantLock();

  /// Read by chunks, written by closing: nothing is unmapped under a read.
  private final ReentrantReadWriteLock chunks = new ReentrantReadWriteLock();

  private final ConcurrentSkipListMap<Long, BatchedFile> files = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<String, FileLocation> locations =
      new ConcurrentSkipListMap<>();
  private volatile List<CompoundCommit> commits = List.of();
  private final BatchChecksums summing = new BatchChecksums();

  /// Of all bytes so far.
  private volatile PageChecksums checksums = summing.now();

  private volatile boolean closed;
  private @Nullable Frozen frozen;

  /// One for all files: Lucene then groups the mappings of a segment.
  private @Nullable FSDirectory mapped;

  /// @param id its generation is that of the first commit to be appended
  /// @param localFolder where the IndexWriter's files lie
  public VirtualBatch(ShardId shard, BlobId id, Path localFolder) {
    this.shard = shard;
    this.id = id;
    this.localFolder = localFolder;
  }

  public BlobId id() {
    return id;
  }

  /// Appends the commit's files that lie in no blob yet, and copies generational files of other
  /// blobs again, so that they pin no old blob. Nothing is appended when it throws.
  ///
  /// @return the commit with the place of each file
  public CompoundCommit append(NewCommit commit) throws IOException {
    lock.lock();
    try {
      Promise.keep(frozen == null && !closed, "an open batch", "shard", shard, "blob", id);
      long previous = commits.isEmpty() ? id.generation() - 1 : commits.getLast().generation();
      Promise.keep(
          commit.primaryTerm() == id.primaryTerm()
              && (commits.isEmpty()
                  ? commit.generation() == id.generation()
                  : commit.generation() > previous),
          "commits in order, the first names the batch",
          "shard",
          shard,
          "blob",
          id,
          "generation",
          commit.generation());
      List<BatchedFile> added = new ArrayList<>();
      try {
        CompoundCommit placed = place(commit, added);
        cover(added);
        added.forEach(
            file -> locations.put(file.name(), new FileLocation(id, file.start(), file.length())));
        List<CompoundCommit> more = new ArrayList<>(commits);
        more.add(placed);
        commits = List.copyOf(more);
        return placed;
      } catch (IOException | RuntimeException | Error e) { // a mapped file that went is an error
        added.forEach(file -> files.remove(file.start()));
        IOUtils.closeWhileHandlingException(added);
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  /// Checks the new files and their checksums, and those of the pages they lie in; from then on
  /// they can be read.
  private void cover(List<BatchedFile> added) throws IOException {
    summing.checkFooters(added);
    long end = bytes();
    for (BatchedFile file : added) {
      files.put(file.start(), file);
      end = file.end();
    }
    summing.extend(key(), files, align(end, BlobInputs.PAGE_BYTES));
    checksums = summing.now();
  }

  private String key() {
    return id.key(shard);
  }

  /// Bytes so far, a multiple of the page.
  public long bytes() {
    return checksums.covered();
  }

  public int commitCount() {
    return commits.size();
  }

  /// The commits so far, oldest first.
  public List<CompoundCommit> commits() {
    return commits;
  }

  /// Bytes `[offset, offset + length)`; fewer at the end, which is a multiple of the page.
  ///
  /// @throws AlreadyClosedException when the batch was closed
  /// @throws CorruptObjectException when the local files are not any more what was appended
  public byte[] chunk(long offset, int length) throws IOException {
    chunks.readLock().lock();
    try {
      if (closed) {
        throw new AlreadyClosedException("batch is closed [shard=" + shard + ", blob=" + id + "]");
      }
      PageChecksums now = checksums;
      int here = (int) Math.clamp(now.covered() - offset, 0L, length);
      return new BatchPages(key(), files, now).read(offset, here);
    } finally {
      chunks.readLock().unlock();
    }
  }

  /// The local file of that name, when it is in this batch and still lies in the local folder.
  public Optional<Path> localFile(String name) {
    Path file = localFolder.resolve(name);
    return locations.containsKey(name) && Files.isRegularFile(file)
        ? Optional.of(file)
        : Optional.empty();
  }

  /// As [#freeze(byte\[\])], carrying nothing.
  public Frozen freeze() throws IOException {
    return freeze(new byte[0]);
  }

  /// No commit can be appended any more; the whole blob can be uploaded. Again and again the same.
  ///
  /// @param carried what the blob says of its index, for who has lost the cluster state
  public Frozen freeze(byte[] carried) throws IOException {
    lock.lock();
    try {
      if (frozen == null) {
        Promise.keep(!commits.isEmpty() && !closed, "a batch with a commit", "blob", id);
        BatchPages pages = new BatchPages(key(), files, checksums);
        HotRegion hot = HotChoice.of(files.values(), ofNewest(), pages, checksums);
        frozen = new Frozen(id, commits, new Body(checksums, tail(hot, carried)), hot);
      }
      return frozen;
    } finally {
      lock.unlock();
    }
  }

  /// Lets go of the files, after the chunks that are being read; later ones are refused
  /// (`AlreadyClosedException`). Not to be called while the frozen batch is being uploaded.
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      chunks.writeLock().lock();
      try {
        if (!closed) {
          closed = true;
          IOUtils.close(files.values());
        }
      } finally {
        chunks.writeLock().unlock();
      }
    } finally {
      lock.unlock();
    }
  }

  private CompoundCommit place(NewCommit commit, List<BatchedFile> added) throws IOException {
    SortedMap<String, FileLocation> placed = new TreeMap<>();
    long at = bytes();
    for (String name : commit.allFiles()) {
      FileLocation here = locations.get(name);
      FileLocation elsewhere = commit.alreadyStored().get(name);
      if (here != null) {
        placed.put(name, here);
      } else if (elsewhere != null && !isGenerational(name)) {
        placed.put(name, elsewhere);
      } else {
        at = align(at, FILE_ALIGNMENT);
        BatchedFile file = batched(name, at, commit);
        added.add(file);
        placed.put(name, new FileLocation(id, at, file.length()));
        at = file.end();
      }
    }
    Promise.keep(
        placed.containsKey(commit.segmentsFile()), "segments file is of the commit", "blob", id);
    return new CompoundCommit(
        commit.primaryTerm(),
        commit.generation(),
        commit.segmentsFile(),
        commit.translog(),
        commit.maxSeqNo(),
        commit.documents(),
        commit.createdMillis(),
        placed);
  }

  /// The local file if there is one, copied or mapped by this batch itself; else through the
  /// engine.
  private BatchedFile batched(String name, long start, NewCommit commit) throws IOException {
    Path file = localFolder.resolve(name);
    if (!Files.isRegularFile(file)) {
      return BatchedFile.of(name, start, commit.reader().open(name));
    }
    if (BatchedFile.isCopied(Files.size(file))) {
      return BatchedFile.copied(name, start, file);
    }
    if (mapped == null) {
      mapped = LocalFiles.of(localFolder);
    }
    return BatchedFile.of(name, start, mapped.openInput(name, IOContext.DEFAULT));
  }

  private byte[] tail(HotRegion hot, byte[] carried) throws IOException {
    byte[] hotSection = BlobSection.write(HotRanges.write(hot));
    byte[] table = ChecksumTable.write(checksums);
    byte[] directory = BlobSection.write(new CommitDirectory(id, commits, carried).write());
    ByteArrayOutputStream tail = new ByteArrayOutputStream();
    tail.writeBytes(hotSection);
    tail.writeBytes(table);
    tail.writeBytes(directory);
    tail.writeBytes(
        new BlobTrailer(bytes(), hotSection.length, table.length, directory.length).write());
    return tail.toByteArray();
  }

  private java.util.SortedSet<String> ofNewest() {
    return new java.util.TreeSet<>(commits.getLast().files().keySet());
  }

  /// Whether Lucene writes a new file of this kind with each update of an old segment.
  public static boolean isGenerational(String name) {
    return name.startsWith("_") && IndexFileNames.parseGeneration(name) > 0;
  }

  private static long align(long position, int alignment) {
    return (position + alignment - 1) / alignment * alignment;
  }

  /// A batch that is ready to be uploaded.
  ///
  /// @param commits oldest first
  /// @param body the whole blob; readable until the batch is closed
  /// @param hot what readers touch while they open
  public record Frozen(BlobId id, List<CompoundCommit> commits, Body body, HotRegion hot) {}

  /// The whole blob. Its files are checked as they are read: what was damaged on this node's disk
  /// since it was appended never gets into the store.
  public final class Body implements ObjectBody {
    private final PageChecksums covered;
    private final byte[] tail;

    private Body(PageChecksums covered, byte[] tail) {
      this.covered = covered;
      this.tail = tail;
    }

    /// Reads all of it, before anything is sent.
    ///
    /// @throws CorruptObjectException when the local files are not any more what was appended
    public void check() throws IOException {
      new BatchPages(key(), files, covered).check();
    }

    @Override
    public long length() {
      return covered.covered() + tail.length;
    }

    @Override
    public InputStream open() {
      return new BatchBytes(new BatchPages(key(), files, covered), covered.covered(), tail);
    }
  }
}
