package dev.holdfast.blobcache;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.ByteRange;
import dev.holdfast.blobcache.blob.CachedRange;
import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.fetch.Fetches;
import dev.holdfast.blobcache.fetch.PendingFetch;
import dev.holdfast.blobcache.read.HotRegions;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.blobcache.region.ReadRequest;
import dev.holdfast.blobcache.stats.CacheCounters;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fetches what is going to be read, beside those who read (§3.2): ahead of a reader, what a new
/// commit brings, hot regions of blobs. A guess that saves waits: there are permits for each kind,
/// and what fails here the reader meets itself.
final class Prefetches {
  private static final Logger LOG = LoggerFactory.getLogger(Prefetches.class);

  /// Requests at once for what another node had.
  private static final int LANES = 8;

  private final World world;
  private final CacheConfig config;
  private final HotRegions hot;
  private final Fetches fetches;
  private final CacheCounters counters;
  private final Semaphore prefetches;
  private final Semaphore warms;
  private final Semaphore warmFetches;
  private volatile boolean closed;

  Prefetches(
      World world, CacheConfig config, HotRegions hot, Fetches fetches, CacheCounters counters) {
    this.world = world;
    this.config = config;
    this.hot = hot;
    this.fetches = fetches;
    this.counters = counters;
    this.prefetches = new Semaphore(config.prefetchesMax());
    this.warms = new Semaphore(config.warmsMax());
    this.warmFetches = new Semaphore(config.warmsMax());
  }

  /// As [BlobInputs#warm], of a blob that is no file here.
  void warm(Blob blob, List<ByteRange> ranges) {
    if (!warms.tryAcquire()) {
      return;
    }
    background(
        "cache-warm",
        warms,
        () -> {
          HotRegion _ = hot.of(blob);
          for (ByteRange range : ByteRange.coalesced(ranges, config.gap().bytes())) {
            long unit = config.sequentialFetch().bytes();
            ahead(
                blob,
                new ReadRequest(
                    range.offset(),
                    unit,
                    unit,
                    true,
                    range.end(),
                    ReadRequest.Admission.COLD_ONLY,
                    false),
                range.end(),
                true);
          }
        });
  }

  /// As [BlobInputs#warmHot].
  void warmHot(List<Blob> blobs) {
    List<Tasks.Task> reading =
        blobs.stream()
            .filter(blob -> blob.localFile().isEmpty())
            .map(blob ->
                world
                    .tasks()
                    .start(
                        "cache-hot",
                        () -> {
                          try {
                            HotRegion _ = hot.of(blob);
                          } catch (IOException e) {
                            LOG.info("no hot region, the reader will meet the error", e);
                          }
                        }))
            .toList();
    try {
      for (Tasks.Task read : reading) {
        read.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// As [BlobInputs#fetch].
  ///
  /// @param bytesMax of all ranges; the rest is left
  void fetch(Map<String, Blob> blobs, List<CachedRange> ranges, long bytesMax, Duration max)
      throws InterruptedException {
    long endNanos = world.clock().nanoTime() + max.toNanos();
    List<CachedRange> wanted = new ArrayList<>();
    long bytes = 0;
    for (CachedRange range : ranges) {
      Blob blob = blobs.get(range.blobKey());
      bytes += range.range().length();
      if (blob != null && blob.localFile().isEmpty() && bytes <= bytesMax) {
        wanted.add(range);
      }
    }
    AtomicInteger next = new AtomicInteger();
    List<Callable<Boolean>> lanes = new ArrayList<>();
    for (int i = 0; i < Math.min(LANES, wanted.size()); i++) {
      lanes.add(() -> {
        int at = next.getAndIncrement();
        while (at < wanted.size() && world.clock().nanoTime() - endNanos < 0 && !closed) {
          CachedRange range = wanted.get(at);
          fetch(Objects.requireNonNull(blobs.get(range.blobKey())), range.range(), endNanos);
          at = next.getAndIncrement();
        }
        return true;
      });
    }
    for (var outcome :
        FanOut.of(world, "cache-hand-over")
            .within(max.isNegative() ? Duration.ZERO : max)
            .outcomes(lanes)) {
      if (outcome instanceof FanOut.Failed<Boolean>(Throwable why)) {
        LOG.info("what another node had is fetched by readers [why={}]", why.toString());
      }
    }
  }

  private void fetch(Blob blob, ByteRange range, long endNanos) throws IOException {
    long unit = config.sequentialFetch().bytes();
    long at = range.offset();
    while (at < range.end() && world.clock().nanoTime() - endNanos < 0) {
      ReadRequest request =
          new ReadRequest(
              at, unit, unit, true, range.end(), ReadRequest.Admission.COLD_ONLY, false);
      Fetches.Ahead ahead = fetches.ahead(blob.key(), request, range.end());
      PendingFetch flight = ahead == null ? null : ahead.flight();
      if (flight != null) {
        counters.prefetches.increment();
        byte[] _ = fetches.fly(blob, flight, request.admission());
      }
      at = ahead == null ? range.end() : ahead.next();
    }
  }

  /// Starts to fetch what is missing of a range, side by side.
  ///
  /// @param request from where, and how much around it
  /// @param waits whether to wait when enough such fetches are under way, rather than leave the
  ///   rest to the reader
  void ahead(Blob blob, ReadRequest request, long end, boolean waits) throws InterruptedException {
    long at = request.position();
    while (at < end && !closed) {
      HotRegion.Range range = hot.pinned(blob.key(), at);
      if (range != null) {
        at = range.end();
        continue;
      }
      Semaphore permits = waits ? warmFetches : prefetches;
      if (waits) {
        permits.acquire();
      } else if (!permits.tryAcquire()) {
        return;
      }
      Fetches.Ahead ahead = fetches.ahead(blob.key(), request.from(at, request.wantedBytes()), end);
      PendingFetch flight = ahead == null ? null : ahead.flight();
      if (flight == null) {
        permits.release();
      } else {
        counters.prefetches.increment();
        start(blob, flight, request.admission(), permits);
      }
      at = ahead == null ? end : ahead.next();
    }
  }

  private void start(
      Blob blob, PendingFetch flight, ReadRequest.Admission admission, Semaphore permits) {
    try {
      background(
          "prefetch",
          permits,
          () -> {
            byte[] _ = fetches.fly(blob, flight, admission);
          });
    } catch (RuntimeException e) {
      fetches.abandon(flight, e);
      throw e;
    }
  }

  /// Runs work that holds a permit, and gives it back.
  private void background(String name, Semaphore permits, Tasks.Work work) {
    boolean isStarted = false;
    try {
      Tasks.Task _ =
          world
              .tasks()
              .start(
                  name,
                  () -> {
                    try {
                      work.run();
                    } catch (IOException e) {
                      LOG.info("{} failed, the reader will meet the error itself", name, e);
                    } finally {
                      permits.release();
                    }
                  });
      isStarted = true;
    } finally {
      if (!isStarted) {
        permits.release();
      }
    }
  }

  /// Nothing more is fetched.
  void close() {
    closed = true;
  }
}
