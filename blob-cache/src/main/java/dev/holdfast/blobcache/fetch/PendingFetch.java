package dev.holdfast.blobcache.fetch;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.blobcache.region.RegionKey;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.Sleeper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// A fetch under way: who needs one of its pages waits for it rather than fetch again.
public final class PendingFetch {
  private static final Duration WAIT_MAX = Duration.ofMinutes(2);

  final RegionKey key;
  int firstPage;
  int endPage;

  /// Whether its request was sent: its pages are fixed then. Guarded, with the pages until then, by
  /// the cache's lock.
  boolean launched;

  private final CompletableFuture<byte[]> bytes = new CompletableFuture<>();

  PendingFetch(RegionKey key, int firstPage, int endPage) {
    this.key = key;
    this.firstPage = firstPage;
    this.endPage = endPage;
  }

  boolean covers(int page) {
    return firstPage <= page && page < endPage;
  }

  /// Takes pages along that lie near, if it was not sent yet and stays within `pagesMax`.
  boolean extend(int first, int end, int gapPages, int pagesMax) {
    int from = Math.min(first, firstPage);
    int to = Math.max(end, endPage);
    if (launched
        || first - endPage > gapPages
        || firstPage - end > gapPages
        || to - from > pagesMax) {
      return false;
    }
    firstPage = from;
    endPage = to;
    return true;
  }

  boolean overlaps(int first, int end) {
    return first < endPage && firstPage < end;
  }

  /// Where it begins in the blob.
  public long start() {
    return key.start() + (long) firstPage * BlobInputs.PAGE_BYTES;
  }

  /// Where it ends in the blob.
  long end() {
    return key.start() + (long) endPage * BlobInputs.PAGE_BYTES;
  }

  int length() {
    return (endPage - firstPage) * BlobInputs.PAGE_BYTES;
  }

  void landed(byte[] fetched) {
    bytes.complete(fetched);
  }

  void failed(Throwable cause) {
    bytes.completeExceptionally(cause);
  }

  /// Whether it is the store that has failed the reader who was waited for, or has not answered him
  /// yet.
  public static boolean isOfStore(IOException failure) {
    return failure.getCause() instanceof StoreException.Unavailable
        || failure.getCause() instanceof TimeoutException;
  }

  public byte[] await(Sleeper sleeper) throws IOException {
    try {
      return sleeper.get(bytes, WAIT_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted in a fetch").initCause(e);
    } catch (TimeoutException e) {
      throw new IOException("fetch takes too long [" + key + ", page=" + firstPage + "]", e);
    } catch (ExecutionException e) {
      // Each waiter gets an exception of its own: a shared one would gather their traces.
      throw new IOException("fetch failed [" + key + ", page=" + firstPage + "]", e.getCause());
    }
  }
}
