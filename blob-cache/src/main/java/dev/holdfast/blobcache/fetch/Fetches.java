package dev.holdfast.blobcache.fetch;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.blobcache.read.CheckedReads;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.blobcache.region.ReadRequest;
import dev.holdfast.blobcache.region.Region;
import dev.holdfast.blobcache.region.RegionKey;
import dev.holdfast.blobcache.region.Regions;
import dev.holdfast.blobcache.stats.CacheCounters;
import dev.holdfast.world.Promise;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings pages of blobs into regions: one request for a page, however many readers want it. No
/// lock is held while a blob is read.
public final class Fetches {
  private static final Logger LOG = LoggerFactory.getLogger(Fetches.class);

  private final ReentrantLock lock;
  private final Regions regions;
  private final CheckedReads reads;
  private final CacheCounters counters;
  private final FetchPlan plans;
  private final Map<RegionKey, List<PendingFetch>> flights = new HashMap<>();
  private volatile boolean closed;

  /// @param lock guards the regions, and what is under way
  public Fetches(
      ReentrantLock lock,
      Regions regions,
      CheckedReads reads,
      CacheCounters counters,
      CacheConfig config) {
    this.lock = lock;
    this.regions = regions;
    this.reads = reads;
    this.counters = counters;
    this.plans =
        new FetchPlan(
            (int) (config.gap().bytes() / BlobInputs.PAGE_BYTES),
            Math.max(1, (int) (config.sequentialFetch().bytes() / BlobInputs.PAGE_BYTES)),
            Math.clamp(
                config.randomFetch().bytes() / BlobInputs.PAGE_BYTES,
                1,
                PageChecksums.PAGE_BYTES / BlobInputs.PAGE_BYTES));
  }

  public void close() {
    closed = true;
  }

  /// A fetch that has the page, and whether the asker is to do it.
  public record Turn(PendingFetch flight, boolean isMine) {}

  /// Null when the page has been cached since the caller looked.
  public @Nullable Turn turn(RegionKey key, ReadRequest request) {
    lock.lock();
    try {
      int page = FetchPlan.page(request.position() - key.start());
      Region region = regions.get(key);
      if (region != null && region.holds(page)) {
        return null;
      }
      List<PendingFetch> underWay = flights.computeIfAbsent(key, k -> new ArrayList<>());
      for (PendingFetch flight : underWay) {
        if (flight.covers(page)) {
          return new Turn(flight, false);
        }
      }
      PendingFetch flight = plans.plan(key, region, underWay, request);
      flight.launched = true;
      underWay.add(flight);
      return new Turn(flight, true);
    } finally {
      lock.unlock();
    }
  }

  /// What a fetch ahead of the reader is to do next.
  ///
  /// @param flight to be sent; null when another, not sent yet, has taken the pages along
  /// @param next where the rest of the range begins
  public record Ahead(@Nullable PendingFetch flight, long next) {}

  /// Plans to fetch the first bytes of a range that are neither here nor under way; null when there
  /// are none.
  public @Nullable Ahead ahead(String blobKey, ReadRequest request, long end) {
    lock.lock();
    try {
      long at = request.position();
      while (at < end) {
        RegionKey key = RegionKey.at(blobKey, at);
        Region region = regions.get(key);
        int page = FetchPlan.page(at - key.start());
        if (region != null && region.holds(page)) {
          at = key.start() + (long) region.nextMissing(page) * BlobInputs.PAGE_BYTES;
          continue;
        }
        List<PendingFetch> underWay = flights.computeIfAbsent(key, k -> new ArrayList<>());
        PendingFetch has = covering(underWay, page);
        if (has != null) {
          at = has.end();
          continue;
        }
        PendingFetch planned =
            plans.plan(
                key, region, underWay, request.from(at, Math.max(end - at, request.wantedBytes())));
        long next = planned.end();
        if (plans.joined(underWay, planned)) {
          return new Ahead(null, next);
        }
        underWay.add(planned);
        return new Ahead(planned, next);
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private static @Nullable PendingFetch covering(List<PendingFetch> underWay, int page) {
    for (PendingFetch flight : underWay) {
      if (flight.covers(page)) {
        return flight;
      }
    }
    return null;
  }

  /// Takes pages for bytes that are at hand; null when some of them are here or under way.
  public @Nullable PendingFetch claim(RegionKey key, int firstPage, int endPage) {
    lock.lock();
    try {
      Region region = regions.get(key);
      boolean isTaken =
          (region != null && region.missing(firstPage, endPage) < endPage - firstPage)
              || flights.getOrDefault(key, List.of()).stream()
                  .anyMatch(flight -> flight.overlaps(firstPage, endPage));
      if (isTaken) {
        return null;
      }
      PendingFetch flight = new PendingFetch(key, firstPage, endPage);
      flight.launched = true;
      flights.computeIfAbsent(key, k -> new ArrayList<>()).add(flight);
      return flight;
    } finally {
      lock.unlock();
    }
  }

  /// Fetches, admits, and only then lets the flight go, so that at each moment a page is in the
  /// cache, in a flight, or to be fetched by whoever asks first.
  public byte[] fly(Blob blob, PendingFetch flight, ReadRequest.Admission admission)
      throws IOException {
    launch(flight);
    try {
      byte[] bytes = reads.read(blob, flight.start(), flight.length());
      Promise.keep(bytes.length <= flight.length(), "no more than asked", "key", blob.key());
      admit(flight, bytes, admission);
      // Before it is landed: who waits for bytes that it lacks must not find it again.
      forget(flight);
      flight.landed(bytes);
      return bytes;
    } catch (IOException | RuntimeException | Error e) {
      forget(flight); // nor must who fetches for himself what has failed here
      flight.failed(e);
      throw e;
    }
  }

  /// Admits bytes that were at hand.
  public void land(PendingFetch flight, byte[] bytes, ReadRequest.Admission admission) {
    try {
      admit(flight, bytes, admission);
      flight.landed(bytes);
    } catch (RuntimeException | Error e) {
      flight.failed(e); // others may wait for it
      throw e;
    } finally {
      forget(flight);
    }
  }

  /// The flight will never be sent.
  public void abandon(PendingFetch flight, Throwable why) {
    flight.failed(why);
    forget(flight);
  }

  private void launch(PendingFetch flight) {
    lock.lock();
    try {
      flight.launched = true;
    } finally {
      lock.unlock();
    }
  }

  private void forget(PendingFetch flight) {
    lock.lock();
    try {
      List<PendingFetch> underWay = flights.get(flight.key);
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

  /// The cache is a guess: when the disk refuses, the bytes just read are used as they are.
  private void admit(PendingFetch flight, byte[] bytes, ReadRequest.Admission admission) {
    if (admission == ReadRequest.Admission.NONE || bytes.length == 0) {
      counters.bypassed.increment();
      return;
    }
    int pages = (bytes.length + BlobInputs.PAGE_BYTES - 1) / BlobInputs.PAGE_BYTES;
    int endPage = Math.min(flight.endPage, flight.firstPage + pages);
    boolean isWritten = false;
    Region region = null;
    try {
      region = beginFill(flight, endPage, admission == ReadRequest.Admission.FULL);
      if (region != null) {
        region.write(flight.firstPage, bytes);
        isWritten = true;
      } else {
        counters.bypassed.increment();
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

  private @Nullable Region beginFill(PendingFetch flight, int endPage, boolean mayEvictWarm)
      throws IOException {
    lock.lock();
    try {
      return closed ? null : regions.beginFill(flight.key, flight.firstPage, endPage, mayEvictWarm);
    } finally {
      lock.unlock();
    }
  }
}
