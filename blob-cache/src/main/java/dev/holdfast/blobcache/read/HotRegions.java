package dev.holdfast.blobcache.read;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.blobcache.stats.DamagedBlobs;
import dev.holdfast.objectstore.GivingUp;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Sleeper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The hot regions of blobs and the checksums of their pages, which come with them, on the heap
/// within a budget each; the ones used longest ago go first, and are then read again when needed.
public final class HotRegions {
  private static final Duration WAIT_MAX = Duration.ofMinutes(2);

  /// Pages whose checksums are kept: four bytes each, of a quarter of a terabyte of blobs.
  private static final long CHECKSUMS_MAX = 4 << 20;

  private final Sleeper sleeper;
  private final long bytesMax;
  private final DamagedBlobs damages;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, HotRegion> byBlob = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<String, CompletableFuture<Optional<HotRegion>>> underWay = new HashMap<>();
  private final Map<String, PageChecksums> checksums = new LinkedHashMap<>(16, 0.75f, true);
  private long pages;
  private long bytes;

  public HotRegions(Sleeper sleeper, long bytesMax, DamagedBlobs damages) {
    this.sleeper = sleeper;
    this.bytesMax = bytesMax;
    this.damages = damages;
  }

  /// The range that covers the position; reads the blob's hot region when it is not here.
  public HotRegion.@Nullable Range covering(Blob blob, long position) throws IOException {
    HotRegion hot = of(blob);
    return hot == null ? null : hot.covering(position);
  }

  /// The range that covers the position, if it is here.
  public HotRegion.@Nullable Range pinned(String blobKey, long position) {
    HotRegion hot = held(blobKey);
    return hot == null ? null : hot.covering(position);
  }

  /// The blob's hot region, read once however many ask; null when it has none (yet).
  public @Nullable HotRegion of(Blob blob) throws IOException {
    while (true) {
      HotRegion hot = held(blob.key());
      if (hot != null) {
        return hot;
      }
      CompletableFuture<Optional<HotRegion>> mine = new CompletableFuture<>();
      CompletableFuture<Optional<HotRegion>> first;
      lock.lock();
      try {
        first = underWay.putIfAbsent(blob.key(), mine);
      } finally {
        lock.unlock();
      }
      if (first == null) {
        return read(blob, mine).orElse(null);
      }
      try {
        return await(first).orElse(null);
      } catch (IOException e) {
        boolean isOfStore =
            e.getCause() instanceof StoreException.Unavailable
                || e.getCause() instanceof TimeoutException;
        if (!blob.isTriedForever() || !isOfStore || GivingUp.isDue()) {
          throw e;
        }
        // The store fails a reader who gives up, and this one does not.
      }
    }
  }

  /// The checksums of the blob's pages, read when they are not here; null when it has none (yet).
  public @Nullable PageChecksums checksums(Blob blob) throws IOException {
    PageChecksums held = heldChecksums(blob.key());
    if (held != null) {
      return held;
    }
    if (held(blob.key()) == null && blob.localFile().isEmpty()) {
      HotRegion read = of(blob);
      return read == null ? null : read.checksums();
    }
    PageChecksums read = ofTail(blob, blob::readChecksums).orElse(null);
    if (read != null) {
      hold(blob.key(), read);
    }
    return read;
  }

  /// Reads something of a blob's tail.
  private interface TailRead<T> {
    Optional<T> read() throws IOException;
  }

  private <T> Optional<T> ofTail(Blob blob, TailRead<T> reading) throws IOException {
    try {
      Optional<T> read = reading.read();
      damages.whole(blob.key(), -1, 1);
      return read;
    } catch (CorruptObjectException e) {
      damages.add(e, () -> ofTail(blob, reading));
      throw e;
    }
  }

  private @Nullable PageChecksums heldChecksums(String blobKey) {
    lock.lock();
    try {
      return checksums.get(blobKey);
    } finally {
      lock.unlock();
    }
  }

  private void hold(String blobKey, PageChecksums read) {
    lock.lock();
    try {
      PageChecksums before = checksums.put(blobKey, read);
      pages += read.pages() - (before == null ? 0 : before.pages());
      Iterator<PageChecksums> oldest = checksums.values().iterator();
      while (pages > CHECKSUMS_MAX && checksums.size() > 1) {
        pages -= oldest.next().pages();
        oldest.remove();
      }
    } finally {
      lock.unlock();
    }
  }

  private Optional<HotRegion> read(Blob blob, CompletableFuture<Optional<HotRegion>> waiting)
      throws IOException {
    try {
      Optional<HotRegion> read = ofTail(blob, blob::readHot);
      read.ifPresent(hot -> hold(blob.key(), hot));
      waiting.complete(read);
      return read;
    } catch (IOException | RuntimeException | Error e) {
      forget(blob, waiting); // first: who reads for himself what has failed here must not find it
      waiting.completeExceptionally(e);
      throw e;
    } finally {
      forget(blob, waiting);
    }
  }

  private void forget(Blob blob, CompletableFuture<Optional<HotRegion>> waiting) {
    lock.lock();
    try {
      underWay.remove(blob.key(), waiting);
    } finally {
      lock.unlock();
    }
  }

  private Optional<HotRegion> await(CompletableFuture<Optional<HotRegion>> read)
      throws IOException {
    try {
      return sleeper.get(read, WAIT_MAX);
    } catch (ExecutionException e) {
      throw new IOException("could not read a hot region", e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("a hot region takes too long to read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted in a read").initCause(e);
    }
  }

  public void drop(String blobKey) {
    lock.lock();
    try {
      HotRegion gone = byBlob.remove(blobKey);
      bytes -= gone == null ? 0 : gone.bytes();
      PageChecksums unneeded = checksums.remove(blobKey);
      pages -= unneeded == null ? 0 : unneeded.pages();
    } finally {
      lock.unlock();
    }
  }

  public long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable HotRegion held(String blobKey) {
    lock.lock();
    try {
      return byBlob.get(blobKey);
    } finally {
      lock.unlock();
    }
  }

  public void hold(String blobKey, HotRegion hot) {
    if (hot.checksums() != null) {
      hold(blobKey, hot.checksums());
    }
    lock.lock();
    try {
      HotRegion before = byBlob.put(blobKey, hot);
      bytes += hot.bytes() - (before == null ? 0 : before.bytes());
      Iterator<HotRegion> oldest = byBlob.values().iterator();
      while (bytes > bytesMax && byBlob.size() > 1) {
        bytes -= oldest.next().bytes();
        oldest.remove();
      }
    } finally {
      lock.unlock();
    }
  }
}
