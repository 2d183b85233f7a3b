package dev.holdfast.blobcache;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A fetch under way: who needs one of its pages waits for it rather than fetch again.
final class Flight {
  private static final long WAIT_SECONDS_MAX = 120;

  final RegionKey key;
  final int firstPage;
  final int endPage;
  private final CompletableFuture<byte[]> bytes = new CompletableFuture<>();

  Flight(RegionKey key, int firstPage, int endPage) {
    this.key = key;
    this.firstPage = firstPage;
    this.endPage = endPage;
  }

  boolean covers(int page) {
    return firstPage <= page && page < endPage;
  }

  /// Where it begins in the blob.
  long start() {
    return key.start() + (long) firstPage * BlobInputs.PAGE_BYTES;
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

  byte[] await() throws IOException {
    try {
      return bytes.get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
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
