package dev.holdfast.blobcache;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.blobcache.blob.ByteRange;
import dev.holdfast.blobcache.blob.CachedRange;
import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.fetch.FetchPlan;
import dev.holdfast.blobcache.fetch.Fetches;
import dev.holdfast.blobcache.fetch.PendingFetch;
import dev.holdfast.blobcache.local.LocalBlobs;
import dev.holdfast.blobcache.read.CheckedReads;
import dev.holdfast.blobcache.read.HedgedReads;
import dev.holdfast.blobcache.read.HotRegions;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.blobcache.region.CacheMap;
import dev.holdfast.blobcache.region.ReadRequest;
import dev.holdfast.blobcache.region.Region;
import dev.holdfast.blobcache.region.RegionKey;
import dev.holdfast.blobcache.region.Regions;
import dev.holdfast.blobcache.region.RestoredPages;
import dev.holdfast.blobcache.region.Window;
import dev.holdfast.blobcache.stats.CacheCounters;
import dev.holdfast.blobcache.stats.CacheStats;
import dev.holdfast.blobcache.stats.DamagedBlobs;
import dev.holdfast.objectstore.GivingUp;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The block-based cache of blob bytes on local disk (§3.2): regions of 16 MiB that are filled page
/// by page, mapped, and evicted whole; a restarted process goes on with them.
public final class BlobCache implements BlobInputs, Closeable {
  /// Where it lies in the data folder of a node.
  public static final String FOLDER = "cache";

  private static final Logger LOG = LoggerFactory.getLogger(BlobCache.class);

  /// One read for each damaged object that is known.
  private static final Duration DAMAGE_LOOK_EVERY = Duration.ofSeconds(5);

  /// The part of the cache that is filled at once because another node had it.
  private static final int HANDED_OVER_PART = 4;

  private final World world;
  private final ByteSize size;
  private final CacheConfig config;
  private final HotRegions hot;
  private final LocalBlobs local;
  private final Prefetches prefetches;
  private final CacheCounters counters = new CacheCounters();
  private final DamagedBlobs damages = new DamagedBlobs();
  private final ReentrantLock lock = new ReentrantLock();
  private final Regions regions;
  private final Fetches fetches;
  private final RestoredPages restored;
  private final Tasks.Task mapping;
  private final Tasks.Task looking;
  private volatile boolean closed;

  /// @param folder the cache's own
  /// @param size bytes of blobs to keep on disk
  public BlobCache(Path folder, ByteSize size, World world, CacheConfig config) throws IOException {
    this.world = world;
    this.size = size;
    this.config = config;
    this.hot = new HotRegions(world.sleeper(), config.hot().bytes(), damages);
    this.regions = new Regions(folder, size.bytes(), config, world.clock());
    HedgedReads reads = new HedgedReads(world, config.hedgeShare(), counters);
    this.fetches =
        new Fetches(
            lock, regions, new CheckedReads(reads, hot, counters, damages), counters, config);
    this.prefetches = new Prefetches(world, config, hot, fetches, counters);
    this.restored = new RestoredPages(lock, regions, counters);
    this.local = new LocalBlobs(hot, counters, damages);
    this.mapping = world.tasks().repeat("cache-map", config.mapEvery(), this::writeMap);
    this.looking = world.tasks().repeat("cache-damages", DAMAGE_LOOK_EVERY, damages::lookAgain);
  }

  @Override
  public IndexInput open(String name, Blob blob, long offset, long length, IOContext context)
      throws IOException {
    if (closed) {
      throw new AlreadyClosedException("the blob cache is closed");
    }
    Optional<Path> file = blob.localFile();
    return file.isPresent()
        ? local.open(name, blob, file.get(), offset, length)
        : new CachedBlobInput(
            name + " in " + blob.key(), this, blob, offset, length, Access.of(name, context));
  }

  @Override
  public void drop(String blobKey) {
    hot.drop(blobKey);
    damages.drop(blobKey);
    local.drop(blobKey);
    lock.lock();
    try {
      regions.drop(blobKey);
    } finally {
      lock.unlock();
    }
  }

  /// Lets go of what it has on disk of some blobs, all of which stay readable.
  ///
  /// @param isMeant by the blob's key
  /// @return bytes
  public long clear(Predicate<String> isMeant) {
    lock.lock();
    try {
      return closed ? 0 : regions.clear(isMeant);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void warm(Blob blob, List<ByteRange> ranges) {
    if (!closed && blob.localFile().isEmpty()) {
      prefetches.warm(blob, ranges);
    }
  }

  @Override
  public void warmHot(List<Blob> blobs) {
    prefetches.warmHot(blobs);
  }

  @Override
  public void written(Blob blob, HotRegion hotRegion, long length, InputStream bytes)
      throws IOException {
    if (closed || blob.localFile().isPresent()) {
      return;
    }
    hot.hold(blob.key(), hotRegion);
    long end = Math.min(length, config.writeThrough().bytes());
    for (long at = 0; at < end; ) {
      RegionKey key = RegionKey.at(blob.key(), at);
      long unit = Math.min(config.mergeFetch().bytes(), key.start() + Region.BYTES - at);
      byte[] piece = bytes.readNBytes((int) Math.min(unit, end - at));
      int first = FetchPlan.page(at - key.start());
      PendingFetch flight = fetches.claim(key, first, first + Region.pagesUp(piece.length));
      if (flight != null) {
        fetches.land(flight, piece, ReadRequest.Admission.COLD_ONLY);
      }
      at += unit;
    }
  }

  @Override
  public List<CachedRange> popular(Set<String> blobKeys, long bytesMax) {
    lock.lock();
    try {
      return closed ? List.of() : regions.popular(blobKeys, bytesMax, config.randomFetch().bytes());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void fetch(Map<String, Blob> blobs, List<CachedRange> ranges, Duration max)
      throws InterruptedException {
    prefetches.fetch(blobs, ranges, size.bytes() / HANDED_OVER_PART, max);
  }

  /// Bytes of blobs that it may keep on disk.
  public ByteSize size() {
    return size;
  }

  /// Blobs that were found damaged, and how, by key; until the same place is found whole.
  public SortedMap<String, String> damaged() {
    return damages.seen();
  }

  public CacheStats stats() {
    lock.lock();
    try {
      return counters.with(regions.count(), regions.bytes(), regions.evictions(), hot.bytes());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    mapping.cancel();
    looking.cancel();
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        prefetches.close();
        fetches.close();
        regions.close();
      }
    } catch (IOException e) {
      LOG.warn("the cache's map could not be written, the next start begins empty", e);
    } finally {
      lock.unlock();
    }
  }

  private void writeMap() {
    try {
      CacheMap map;
      lock.lock();
      try {
        if (closed) {
          return;
        }
        regions.age();
        map = regions.map(false);
      } finally {
        lock.unlock();
      }
      map.write(regions.folder());
    } catch (IOException e) {
      LOG.warn("the cache's map could not be written, it is tried again", e);
    }
  }

  CacheConfig config() {
    return config;
  }

  /// Bytes of the blob around the position, fetched if need be.
  Window window(Blob blob, ReadRequest request) throws IOException {
    while (true) {
      Window window = windowNow(blob, request);
      if (window != null) {
        return window;
      }
    }
  }

  /// Null when it is to be looked for again.
  private @Nullable Window windowNow(Blob blob, ReadRequest request) throws IOException {
    RegionKey key = RegionKey.at(blob.key(), request.position());
    Window cached = cached(key, request, true);
    if (cached != null) {
      counters.hits.increment();
      counters.bytesFromRegions.add(cached.answered(request));
      return cached;
    }
    HotRegion.Range range = hot.covering(blob, request.position());
    if (range != null) {
      Window pinned = Window.ofHeap(range.bytes(), range.offset());
      counters.hits.increment();
      counters.bytesFromPinned.add(pinned.answered(request));
      return pinned;
    }
    counters.misses.increment();
    Fetches.Turn turn = fetches.turn(key, request);
    if (turn == null) {
      return null;
    }
    PendingFetch flight = turn.flight();
    byte[] bytes =
        turn.isMine() ? fetches.fly(blob, flight, request.admission()) : awaited(blob, flight);
    if (bytes == null) {
      return null;
    }
    cached = cached(key, request, request.admission() == ReadRequest.Admission.FULL);
    if (cached == null) {
      if (request.position() - flight.start() >= bytes.length) {
        if (!turn.isMine()) {
          // What another reader was told before the blob grew: a batch does while it is read.
          return null;
        }
        throw new EOFException(
            "blob ends before its file [key=" + blob.key() + ", at=" + request.position() + "]");
      }
      cached = Window.ofHeap(bytes, flight.start());
    }
    counters.bytesFromStore.add(cached.answered(request));
    return cached;
  }

  /// What another reader fetches. Null when the store fails him, and this one gives up neither with
  /// him nor after a while: a merge would fail with a search.
  private byte @Nullable [] awaited(Blob blob, PendingFetch flight) throws IOException {
    try {
      return flight.await(world.sleeper());
    } catch (IOException e) {
      if (blob.isTriedForever() && !GivingUp.isDue() && PendingFetch.isOfStore(e)) {
        return null;
      }
      throw e;
    }
  }

  /// As [Prefetches#ahead].
  void prefetch(Blob blob, ReadRequest request, long end, boolean waits)
      throws InterruptedException {
    prefetches.ahead(blob, request, end, waits);
  }

  /// The bytes as one mapping that outlives an eviction; null when they are not all in one region.
  @Nullable MemorySegment segment(String blobKey, long position, long length) throws IOException {
    RegionKey key = RegionKey.at(blobKey, position);
    long offset = position - key.start();
    if (length == 0 || offset + length > Region.BYTES) {
      return null;
    }
    int first = FetchPlan.page(offset);
    int end = Region.pagesUp(offset + length);
    while (true) {
      Region region;
      int unchecked;
      lock.lock();
      try {
        region = closed ? null : regions.get(key);
        if (region == null || !region.holdsAll(first, end)) {
          return null;
        }
        unchecked = region.firstUnchecked(first, end);
        if (unchecked < 0) {
          region.touch();
          return region.lend(offset, length);
        }
        region.beginFill();
      } finally {
        lock.unlock();
      }
      restored.check(region, unchecked);
    }
  }

  private @Nullable Window cached(RegionKey key, ReadRequest request, boolean isUse) {
    int page = FetchPlan.page(request.position() - key.start());
    while (true) {
      Region region;
      lock.lock();
      try {
        if (closed) {
          throw new AlreadyClosedException("the blob cache is closed");
        }
        region = regions.get(key);
        if (region == null || !region.holds(page)) {
          return null;
        }
        if (!region.isUnchecked(page)) {
          if (isUse) {
            region.touch();
          }
          Window window = region.window(page, isUse);
          return request.isCopied() ? copy(window, request) : window;
        }
        region.beginFill();
      } finally {
        lock.unlock();
      }
      restored.check(region, page);
    }
  }

  /// Under the lock, where nothing is evicted.
  private Window copy(Window window, ReadRequest request) {
    long skipped = request.position() - window.start();
    long length = Math.min(window.segment().byteSize() - skipped, config.randomFetch().bytes());
    byte[] bytes = window.segment().asSlice(skipped, length).toArray(ValueLayout.JAVA_BYTE);
    return Window.ofHeap(bytes, request.position());
  }
}
