package dev.holdfast.blobcache.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NoLockFactory;

/// Folders of this machine as Lucene reads them: mapped into memory.
///
/// A process may have 65,530 mappings on Linux (`vm.max_map_count`), and ends without a word when
/// it wants one more. A shard that was written to just now has fifteen files, and is mapped twice
/// when it is searched, too. So where folders of many shards are in use ([#MANY]), small files are
/// copied to the heap, where they take no more than the bytes they have. Elsewhere they are not:
/// code that meets one kind of input only is faster.
///
/// A process started with `-Dholdfast.files=heap` copies all files: to unmap a file stops all
/// threads for a moment, which is too slow for simulations of thousands of tiny files.
public final class LocalFiles {
  static final boolean IS_HEAP = "heap".equals(System.getProperty("holdfast.files"));

  /// Folders of shards; some twenty mappings each.
  static final int MANY = 512;

  /// Bytes of a file that is copied when there are many.
  static final long SMALL_MAX = 16 << 10;

  private static final AtomicInteger FOLDERS = new AtomicInteger();

  private LocalFiles() {}

  /// The folder, which must have one writer at most: nothing is locked. It need not be closed.
  public static FSDirectory of(Path folder) throws IOException {
    return IS_HEAP ? new OnHeap(folder) : new Mapped(folder, false);
  }

  /// The same, of a shard whose files stay open until the folder is closed.
  public static FSDirectory ofShard(Path folder) throws IOException {
    return IS_HEAP ? new OnHeap(folder) : new Mapped(folder, true);
  }

  private static IndexInput copied(Path folder, String name) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(folder.resolve(name)));
    return new ByteBuffersIndexInput(new ByteBuffersDataInput(List.of(bytes)), name);
  }

  /// A folder whose files are mapped, but for small ones of many.
  private static final class Mapped extends MMapDirectory {
    private final AtomicBoolean isCounted;

    Mapped(Path folder, boolean isCounted) throws IOException {
      super(folder, NoLockFactory.INSTANCE);
      this.isCounted = new AtomicBoolean(isCounted);
      if (isCounted) {
        FOLDERS.incrementAndGet();
      }
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      if (FOLDERS.get() > MANY && Files.size(getDirectory().resolve(name)) <= SMALL_MAX) {
        ensureOpen();
        ensureCanRead(name);
        return copied(getDirectory(), name);
      }
      return super.openInput(name, context);
    }

    @Override
    public synchronized void close() throws IOException {
      if (isCounted.compareAndSet(true, false)) {
        FOLDERS.decrementAndGet();
      }
      super.close();
    }
  }

  /// A folder whose files are copied to the heap when they are opened.
  private static final class OnHeap extends FSDirectory {
    OnHeap(Path folder) throws IOException {
      super(folder, NoLockFactory.INSTANCE);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      ensureOpen();
      ensureCanRead(name);
      return copied(getDirectory(), name);
    }
  }
}
