package dev.holdfast.blobcache;

import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Promise;
import dev.holdfast.world.World;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The block-based cache of blob bytes on local disk (§3.2): regions of 16 MiB that are filled page
/// by page, mapped, and evicted whole. No lock is held while a blob is read.
public final class BlobCache implements BlobInputs, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(BlobCache.class);

  private final World world;
  private final CacheConfig config;
  private final FetchPlan plans;
  private final HotRegions hot;
  private final LocalBlobs local = new LocalBlobs();
  private final Semaphore prefetches;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder bytesFetched = new LongAdder();

  private final ReentrantLock lock = new ReentrantLock();
  private final Regions regions;
  private final Map<RegionKey, List<Flight>> flights = new HashMap<>();
  private volatile boolean closed;

  /// @param folder the cache's own: regions that lie there from an earlier life are deleted
  /// @param size bytes of blobs to keep on disk
  public BlobCache(Path folder, ByteSize size, World world, CacheConfig config) throws IOException {
    this.world = world;
    this.config = config;
    this.hot = new HotRegions(config.hot().bytes());
    this.prefetches = new Semaphore(config.prefetchesMax());
    this.plans =
        new FetchPlan(
            (int) (config.gap().bytes() / PAGE_BYTES),
            Math.max(1, (int) (config.sequentialFetch().bytes() / PAGE_BYTES)));
    this.regions = new Regions(folder, size.bytes(), config, world.clock());
  }

  @Override
  public IndexInput open(String name, Blob blob, long offset, long length, IOContext context)
      throws IOException {
    if (closed) {
      throw new AlreadyClosedException("the blob cache is closed");
    }
    Optional<Path> file = blob.localFile();
    return file.isPresent()
        ? local.open(name, file.get(), offset, length)
        : new CachedBlobInput(
            name + " in " + blob.key(), this, blob, offset, length, Access.of(context));
  }

  @Override
  public void drop(String blobKey) {
    hot.drop(blobKey);
    lock.lock();
    try {
      regions.drop(blobKey);
    } finally {
      lock.unlock();
    }
  }

  public CacheStats stats() {
    lock.lock();
    try {
      return new CacheStats(
          regions.count(),
          regions.bytes(),
          hits.sum(),
          misses.sum(),
          bytesFetched.sum(),
          regions.evictions());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      regions.clear();
    } finally {
      lock.unlock();
    }
  }

  CacheConfig config() {
    return config;
  }

  /// Bytes of the blob around the position, fetched if need be.
  Window window(Blob blob, Request request) throws IOException {
    RegionKey key = RegionKey.at(blob.key(), request.position());
    Window cached = cached(key, request);
    if (cached != null) {
      hits.increment();
      return cached;
    }
    HotRegion.Range range = hot.covering(blob, request.position());
    if (range != null) {
      hits.increment();
      return Window.ofHeap(range.bytes(), range.offset());
    }
    misses.increment();
    Turn turn = turn(key, request);
    if (turn == null) {
      return window(blob, request);
    }
    Flight flight = turn.flight();
    byte[] bytes = turn.isMine() ? fly(blob, flight, request.isAdmitted()) : flight.await();
    cached = cached(key, request);
    if (cached != null) {
      return cached;
    }
    if (request.position() - flight.start() >= bytes.length) {
      throw new EOFException(
          "blob ends before its file [key=" + blob.key() + ", at=" + request.position() + "]");
    }
    return Window.ofHeap(bytes, flight.start());
  }

  /// A fetch that has the page, and whether the asker is to do it.
  private record Turn(Flight flight, boolean isMine) {}

  /// Null when the page has been cached since the caller looked.
  private @Nullable Turn turn(RegionKey key, Request request) {
    lock.lock();
    try {
      int page = FetchPlan.page(request.position() - key.start());
      Region region = regions.get(key);
      if (region != null && region.holds(page)) {
        return null;
      }
      List<Flight> underWay = flights.computeIfAbsent(key, k -> new ArrayList<>());
      for (Flight flight : underWay) {
        if (flight.covers(page)) {
          return new Turn(flight, false);
        }
      }
      Flight flight = plans.plan(key, region, underWay, request);
      underWay.add(flight);
      return new Turn(flight, true);
    } finally {
      lock.unlock();
    }
  }

  /// Starts to fetch what is missing of a range, and returns at once. Does nothing when enough
  /// prefetches are under way: the reader will fetch for itself.
  void prefetch(Blob blob, long from, long end) {
    long missing = firstMissing(blob.key(), from, end);
    if (missing >= end || closed || !prefetches.tryAcquire()) {
      return;
    }
    world
        .tasks()
        .start(
            "prefetch",
            () -> {
              try {
                prefetchNow(blob, missing, end);
              } catch (IOException e) {
                LOG.info("prefetch failed, the reader will meet the error itself", e);
              } finally {
                prefetches.release();
              }
            });
  }

  private void prefetchNow(Blob blob, long from, long end) throws IOException {
    long at = from;
    while (at < end && !closed) {
      Window window = window(blob, new Request(at, end - at, end - at, true, end, true, false));
      at = firstMissing(blob.key(), window.start() + window.segment().byteSize(), end);
    }
  }

  /// The first byte from `from` on that is not in a region, or `end`.
  private long firstMissing(String blobKey, long from, long end) {
    lock.lock();
    try {
      long at = from;
      while (at < end) {
        RegionKey key = RegionKey.at(blobKey, at);
        Region region = regions.get(key);
        int page = FetchPlan.page(at - key.start());
        if (region == null || !region.holds(page)) {
          return at;
        }
        at = key.start() + (long) region.nextMissing(page) * PAGE_BYTES;
      }
      return end;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Window cached(RegionKey key, Request request) {
    lock.lock();
    try {
      if (closed) {
        throw new AlreadyClosedException("the blob cache is closed");
      }
      Region region = regions.get(key);
      int page = FetchPlan.page(request.position() - key.start());
      if (region == null || !region.holds(page)) {
        return null;
      }
      region.touch();
      Window window = region.window(page);
      return request.isCopied() ? copy(window, request) : window;
    } finally {
      lock.unlock();
    }
  }

  /// Under the lock, where nothing is evicted.
  private Window copy(Window window, Request request) {
    long skipped = request.position() - window.start();
    long length = Math.min(window.segment().byteSize() - skipped, config.randomFetch().bytes());
    byte[] bytes = window.segment().asSlice(skipped, length).toArray(ValueLayout.JAVA_BYTE);
    return Window.ofHeap(bytes, request.position());
  }

  /// Fetches, admits, and only then lets the flight go, so that at each moment a page is in the
  /// cache, in a flight, or to be fetched by whoever asks first.
  private byte[] fly(Blob blob, Flight flight, boolean isAdmitted) throws IOException {
    try {
      byte[] bytes = blob.read(flight.start(), flight.length());
      Promise.keep(bytes.length <= flight.length(), "no more than asked", "key", blob.key());
      bytesFetched.add(bytes.length);
      if (isAdmitted && bytes.length > 0) {
        admit(flight, bytes);
      }
      flight.landed(bytes);
      return bytes;
    } catch (IOException | RuntimeException | Error e) {
      flight.failed(e);
      throw e;
    } finally {
      lock.lock();
      try {
        List<Flight> underWay = flights.get(flight.key);
        if (underWay != null) {
          underWay.remove(flight);
          if (underWay.isEmpty()) {
            flights.remove(flight.key);
          }
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /// The cache is a guess: when the disk refuses, the bytes just read are used as they are.
  private void admit(Flight flight, byte[] bytes) {
    int pages = (bytes.length + PAGE_BYTES - 1) / PAGE_BYTES;
    int endPage = Math.min(flight.endPage, flight.firstPage + pages);
    boolean isWritten = false;
    Region region = null;
    try {
      lock.lock();
      try {
        region = closed ? null : regions.beginFill(flight.key, flight.firstPage, endPage);
      } finally {
        lock.unlock();
      }
      if (region != null) {
        region.write(flight.firstPage, bytes);
        isWritten = true;
      }
    } catch (IOException e) {
      LOG.warn("cannot write to the blob cache, reading goes on without it", e);
    } finally {
      if (region != null) {
        lock.lock();
        try {
          regions.endFill(region, flight.firstPage, endPage, isWritten);
        } finally {
          lock.unlock();
        }
      }
    }
  }
}
