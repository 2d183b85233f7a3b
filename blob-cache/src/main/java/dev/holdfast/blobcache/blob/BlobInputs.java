package dev.holdfast.blobcache.blob;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/// Opens parts of blobs as Lucene inputs: the door of the blob cache.
public interface BlobInputs {
  /// The grain of the cache: a page is cached whole or not at all, and a batch that still grows
  /// grows by whole pages.
  int PAGE_BYTES = 4096;

  /// @param name for messages and hints: the Lucene file that lies there
  /// @param offset first byte of the file within the blob
  /// @param length bytes of the file
  /// @param context Lucene's hints: random or sequential access, merges (which bypass admission)
  IndexInput open(String name, Blob blob, long offset, long length, IOContext context)
      throws IOException;

  /// Forgets what is cached of a blob that was deleted.
  void drop(String blobKey);

  /// Starts to fetch what is missing of these ranges, and of the blob's hot region; returns at
  /// once. A guess that saves later readers a wait: it may be left undone.
  ///
  /// @param ranges in any order
  default void warm(Blob blob, List<ByteRange> ranges) {}

  /// Fetches the hot regions of these blobs that are not here, side by side, and waits for them.
  default void warmHot(List<Blob> blobs) {}

  /// What is cached of these blobs, the most used first, however it came there.
  ///
  /// @param bytesMax of all ranges
  default List<CachedRange> popular(Set<String> blobKeys, long bytesMax) {
    return List.of();
  }

  /// Fetches what is missing of these ranges, in their order, and waits for it, but no longer than
  /// that. A guess that saves later readers a wait: some of it may be left undone.
  ///
  /// @param blobs by their keys; ranges of others are passed over
  default void fetch(Map<String, Blob> blobs, List<CachedRange> ranges, Duration max)
      throws InterruptedException {}

  /// Keeps bytes of a blob that this process has just uploaded (§3.2), where there is room for
  /// them: whoever reads them next need not fetch what was here.
  ///
  /// @param hot its hot region
  /// @param bytes the blob from its beginning on; not closed
  default void written(Blob blob, HotRegion hot, long length, InputStream bytes)
      throws IOException {}
}
