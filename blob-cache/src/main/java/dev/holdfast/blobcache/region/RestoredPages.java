package dev.holdfast.blobcache.region;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.blobcache.stats.CacheCounters;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks pages that an earlier life of the process left on disk, before the first read of each:
/// local disks rot too. What does not match is forgotten, and fetched again.
public final class RestoredPages {
  private static final Logger LOG = LoggerFactory.getLogger(RestoredPages.class);

  /// Checked at once: what one miss of a random read fetches.
  private static final int PAGES_MAX = (128 << 10) / BlobInputs.PAGE_BYTES;

  private final ReentrantLock lock;
  private final Regions regions;
  private final CacheCounters counters;

  /// @param lock guards the regions
  public RestoredPages(ReentrantLock lock, Regions regions, CacheCounters counters) {
    this.lock = lock;
    this.regions = regions;
    this.counters = counters;
  }

  /// Checks the page and its neighbours; without the lock.
  ///
  /// @param region that cannot be evicted until this returns ([Region#beginFill])
  public void check(Region region, int page) {
    int first = page - page % PAGES_MAX;
    int end = first + PAGES_MAX;
    BitSet pages;
    lock.lock();
    try {
      pages = region.unchecked(first, end);
    } finally {
      lock.unlock();
    }
    BitSet damaged = (BitSet) pages.clone(); // until they are known to be whole
    try {
      damaged = region.damaged(pages);
    } catch (IllegalStateException e) {
      damaged = new BitSet();
      LOG.debug("a region was dropped while it was checked", e);
    } finally {
      lock.lock();
      try {
        regions.endCheck(region, pages, damaged);
      } finally {
        lock.unlock();
      }
    }
    if (!damaged.isEmpty()) {
      counters.damagedHere.add(damaged.cardinality());
      LOG.warn(
          "pages of the cache on this disk are damaged, they are fetched again [blob={}, pages={}]",
          region.key.blobKey(),
          damaged.cardinality());
    }
  }
}
