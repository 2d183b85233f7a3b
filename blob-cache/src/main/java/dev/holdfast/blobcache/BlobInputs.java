package dev.holdfast.blobcache;

import java.io.IOException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/// Opens parts of blobs as Lucene inputs: the door of the blob cache.
public interface BlobInputs {
  /// The grain of the cache: a page is cached whole or not at all, and a batch that still grows
  /// grows by whole pages.
  int PAGE_BYTES = 4096;

  /// @param name for messages: the Lucene file that lies there
  /// @param offset first byte of the file within the blob
  /// @param length bytes of the file
  /// @param context Lucene's hints: random or sequential access, merges (which bypass admission)
  IndexInput open(String name, Blob blob, long offset, long length, IOContext context)
      throws IOException;

  /// Forgets what is cached of a blob that was deleted.
  void drop(String blobKey);
}
