package dev.holdfast.blobcache.local;

import dev.holdfast.blobcache.local.FilePack.Packed;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/// The folder of a shard that is written to. Small files of small segments share files
/// ([SharedFile]); others have their own. Nothing in it outlives the process.
public final class PackedFolder extends FilterDirectory {
  /// A larger file has one of its own.
  static final int SMALL_MAX = 16 << 10;

  /// All files of larger segments have their own.
  private static final long SEGMENT_MAX = 1 << 20;

  /// Begins the names of packs: none of Lucene's.
  private static final String PACK = "+pack-";

  private final Path folder;

  /// Names temporary files, as none of those that have a file of their own is.
  private final AtomicLong temporary = new AtomicLong();

  // Guarded by this.
  private final TreeMap<String, Packed> small = new TreeMap<>();

  /// Names of files that are being written and have no place yet.
  private final Set<String> begun = new HashSet<>();

  private @Nullable FilePack pack;
  private long packs;

  private PackedFolder(Path folder, Directory files) {
    super(files);
    this.folder = folder;
  }

  /// A folder that has one writer at most, nothing in it yet, and is mapped.
  public static PackedFolder of(Path folder) throws IOException {
    return new PackedFolder(folder, LocalFiles.ofShard(folder));
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    if (has(name)) {
      throw new FileAlreadyExistsException(name);
    }
    if (LocalFiles.IS_HEAP || segmentBytes(context) > SEGMENT_MAX) {
      return in.createOutput(name, context);
    }
    return begin(name, context);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    if (LocalFiles.IS_HEAP || segmentBytes(context) > SEGMENT_MAX) {
      return in.createTempOutput(prefix, suffix, context);
    }
    String number = "p" + Long.toString(temporary.getAndIncrement(), Character.MAX_RADIX);
    return begin(IndexFileNames.segmentFileName(prefix, suffix + "_" + number, "tmp"), context);
  }

  private IndexOutput begin(String name, IOContext context) {
    synchronized (this) {
      begun.add(name);
    }
    return new PackedOutput(
        name,
        SMALL_MAX,
        new PackedOutput.Target() {
          @Override
          public void isWhole(byte[] bytes) throws IOException {
            add(name, bytes);
          }

          @Override
          public IndexOutput own() throws IOException {
            hasItsOwn(name);
            return in.createOutput(name, context);
          }
        });
  }

  /// As Lucene guesses; 0 when it says nothing.
  private static long segmentBytes(IOContext context) {
    if (context.mergeInfo() != null) {
      return context.mergeInfo().estimatedMergeBytes();
    }
    return context.flushInfo() == null ? 0 : context.flushInfo().estimatedSegmentSize();
  }

  private synchronized void hasItsOwn(String name) {
    begun.remove(name);
  }

  private synchronized void add(String name, byte[] bytes) throws IOException {
    if (!begun.contains(name)) {
      return; // deleted while it was written
    }
    FilePack current = pack;
    if (current == null || !current.fits(bytes.length)) {
      if (current != null) {
        current.end();
      }
      pack = null;
      current = FilePack.create(folder, in, PACK + packs++);
      pack = current;
    }
    small.put(name, current.add(bytes));
    begun.remove(name);
  }

  private synchronized @Nullable Packed packed(String name) {
    return small.get(name);
  }

  /// Whether a file of that name is there.
  public boolean has(String name) {
    return packed(name) != null || Files.isRegularFile(folder.resolve(name));
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    synchronized (this) { // it is not deleted before it is open
      Packed packed = small.get(name);
      if (packed != null) {
        return packed.open(name);
      }
    }
    return in.openInput(name, context);
  }

  @Override
  public long fileLength(String name) throws IOException {
    Packed packed = packed(name);
    return packed == null ? in.fileLength(name) : packed.length();
  }

  @Override
  public String[] listAll() throws IOException {
    TreeSet<String> names = new TreeSet<>(Set.of(in.listAll()));
    names.removeIf(name -> name.startsWith(PACK));
    synchronized (this) {
      names.addAll(small.keySet());
    }
    return names.toArray(String[]::new);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    Packed packed;
    boolean isUnfinished;
    synchronized (this) {
      packed = small.remove(name);
      isUnfinished = begun.remove(name);
    }
    if (packed != null) {
      packed.delete();
    } else if (!isUnfinished) {
      in.deleteFile(name);
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    synchronized (this) {
      Packed packed = small.remove(source);
      if (packed != null) {
        Packed replaced = small.put(dest, packed);
        if (replaced != null) {
          replaced.delete();
        }
        return;
      }
    }
    in.rename(source, dest);
  }

  /// Open inputs stay valid, as those of files that have their own.
  @Override
  public void close() throws IOException {
    synchronized (this) {
      small.values().forEach(Packed::delete);
      small.clear();
      if (pack != null) {
        pack.end();
        pack = null;
      }
    }
    super.close();
  }
}
