package dev.holdfast.blobcache.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NoLockFactory;

/// Folders of this machine as Lucene reads them: mapped into memory. A process started with
/// `-Dholdfast.files=heap` copies them to the heap instead: to unmap a file stops all threads for a
/// moment, which is too slow for simulations of thousands of tiny files.
public final class LocalFiles {
  private static final boolean IS_HEAP = "heap".equals(System.getProperty("holdfast.files"));

  private LocalFiles() {}

  /// The folder, which must have one writer at most: nothing is locked.
  public static FSDirectory of(Path folder) throws IOException {
    return IS_HEAP ? new OnHeap(folder) : new MMapDirectory(folder, NoLockFactory.INSTANCE);
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
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(getDirectory().resolve(name)));
      return new ByteBuffersIndexInput(new ByteBuffersDataInput(List.of(bytes)), name);
    }
  }
}
