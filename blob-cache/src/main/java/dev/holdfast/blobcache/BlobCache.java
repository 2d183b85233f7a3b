package dev.holdfast.blobcache;

import dev.holdfast.world.ByteSize;
import dev.holdfast.world.World;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/// The block-based cache of blob bytes on local disk (§3.2).
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"}) // signatures first, bodies follow
public final class BlobCache implements BlobInputs, Closeable {
  /// @param folder the cache's own: what lies there is deleted
  /// @param size bytes of blobs to keep on disk
  public BlobCache(Path folder, ByteSize size, World world, CacheConfig config) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public IndexInput open(String name, Blob blob, long offset, long length, IOContext context)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void drop(String blobKey) {
    throw new UnsupportedOperationException();
  }

  public CacheStats stats() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {
    throw new UnsupportedOperationException();
  }
}
