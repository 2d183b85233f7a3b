package dev.holdfast.blobcache.region;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.blobcache.blob.ByteRange;
import dev.holdfast.blobcache.blob.CachedRange;
import dev.holdfast.world.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The regions on disk, their budget and their eviction: least frequently used first, frequencies
/// decaying with time (§3.2). An evicted region goes to limbo until its readers have left. Not
/// thread-safe: the cache's lock guards it.
public final class Regions {
  private static final Logger LOG = LoggerFactory.getLogger(Regions.class);

  /// Evicted bytes that may be waiting for their readers, beyond an eighth of the cache; above that
  /// nothing is admitted.
  private static final long LIMBO_BYTES_MIN = 64 << 20;

  private static final String FILE_PREFIX = "region-";

  private final Path folder;
  private final long bytesMax;
  private final int regionsMax;
  private final Clock clock;
  private final String boot;
  private final long periodNanos;
  private final long graceNanos;

  private record Ghost(Region region, long bytes, long unmapNanos) {}

  private final Deque<Ghost> limbo = new ArrayDeque<>();
  private long limboBytes;
  private final Map<RegionKey, Region> regions = new LinkedHashMap<>();
  private long bytes;
  private long files;
  private long evictions;

  public Regions(Path folder, long bytesMax, CacheConfig config, Clock clock) throws IOException {
    this.folder = folder;
    this.bytesMax = bytesMax;
    this.regionsMax = config.regionsMax();
    this.clock = clock;
    this.periodNanos = config.decay().toNanos();
    this.graceNanos = config.evictedGrace().toNanos();
    this.boot = CacheMap.thisBoot();
    Files.createDirectories(folder);
    restore(CacheMap.read(folder, boot));
    deleteUnknown();
  }

  /// Goes on with the regions of an earlier life, as many as there is room for, the most used
  /// first.
  private void restore(CacheMap map) {
    List<CacheMap.Entry> entries = new ArrayList<>(map.entries());
    entries.sort(Comparator.comparingInt(CacheMap.Entry::frequency).reversed());
    for (CacheMap.Entry entry : entries) {
      files = Math.max(files, entry.file() + 1);
      long filled = (long) entry.filled().cardinality() * BlobInputs.PAGE_BYTES;
      if (bytes + filled <= bytesMax && regions.size() < regionsMax) {
        try {
          regions.put(entry.key(), Region.restore(entry, file(entry.file()), period()));
          bytes += filled;
        } catch (IOException e) {
          LOG.debug("a region of the cache map is gone [region={}]", entry.key(), e);
        }
      }
    }
  }

  private void deleteUnknown() throws IOException {
    Set<Path> known = new HashSet<>();
    regions.values().forEach(region -> known.add(file(region.number)));
    try (var old = Files.newDirectoryStream(folder, FILE_PREFIX + "*")) {
      for (Path file : old) {
        if (!known.contains(file)) {
          deleteUnknown(file);
        }
      }
    }
  }

  /// What can't be deleted, a folder that somebody made there, takes room and harms nobody whose
  /// files have other names.
  private void deleteUnknown(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      LOG.warn("what is no region of the cache cannot be deleted [file={}]", file, e);
      String number = file.getFileName().toString().substring(FILE_PREFIX.length());
      if (number.matches("\\d{1,18}")) {
        files = Math.max(files, Long.parseLong(number) + 1);
      }
    }
  }

  private Path file(long number) {
    return folder.resolve(FILE_PREFIX + number);
  }

  public @Nullable Region get(RegionKey key) {
    return regions.get(key);
  }

  /// Takes room for pages that will be written; the region cannot be evicted until [#endFill].
  ///
  /// @param mayEvictWarm whether a region that somebody comes back to may go for it
  /// @return null when there is no room that may be taken
  public @Nullable Region beginFill(RegionKey key, int firstPage, int endPage, boolean mayEvictWarm)
      throws IOException {
    unmapGhosts(clock.nanoTime());
    Region region = regions.get(key);
    long room =
        (long) (region == null ? endPage - firstPage : region.missing(firstPage, endPage))
            * BlobInputs.PAGE_BYTES;
    if (room > bytesMax || limboBytes > bytesMax / 8 + LIMBO_BYTES_MIN) {
      return null;
    }
    if (region != null) {
      region.beginFill();
    }
    while (bytes + room > bytesMax || (region == null && regions.size() >= regionsMax)) {
      if (!evictColdest(mayEvictWarm ? Integer.MAX_VALUE : 0)) {
        if (region != null) {
          region.endFill(firstPage, endPage, false);
        }
        return null;
      }
    }
    if (region == null) {
      region = Region.create(key, files, file(files), period());
      files++;
      region.beginFill();
      regions.put(key, region);
    }
    bytes += room;
    return region;
  }

  public void endFill(Region region, int firstPage, int endPage, boolean isWritten) {
    if (region.isRetired()) {
      // Dropped meanwhile: what it held was given back then, what was reserved is given back now.
      bytes -= (long) region.missing(firstPage, endPage) * BlobInputs.PAGE_BYTES;
      return;
    }
    if (!isWritten) {
      bytes -= (long) region.missing(firstPage, endPage) * BlobInputs.PAGE_BYTES;
    }
    region.endFill(firstPage, endPage, isWritten);
  }

  /// A check of pages of an earlier life has ended, which began as a fill does.
  void endCheck(Region region, BitSet pages, BitSet damaged) {
    int forgotten = region.endCheck(pages, damaged);
    if (!region.isRetired()) {
      bytes -= (long) forgotten * BlobInputs.PAGE_BYTES;
    }
  }

  public void drop(String blobKey) {
    long _ = clear(blobKey::equals);
  }

  /// Drops the regions of some blobs.
  ///
  /// @param isMeant by the blob's key
  /// @return bytes that they held
  public long clear(Predicate<String> isMeant) {
    List<Region> gone = new ArrayList<>();
    long held = 0;
    for (Region region : regions.values()) {
      if (isMeant.test(region.key.blobKey())) {
        gone.add(region);
        held += region.filledBytes();
      }
    }
    gone.forEach(this::remove);
    return held;
  }

  /// Counts who was touched of late.
  public void age() {
    long now = period();
    regions
        .values()
        .forEach(region -> {
          int _ = region.heat(now);
        });
  }

  /// What the files hold now.
  public CacheMap map(boolean isSynced) {
    return new CacheMap(isSynced, boot, regions.values().stream().map(Region::entry).toList());
  }

  /// What is there of some blobs, of the most used regions first.
  ///
  /// @param gapMax ranges that lie no further apart are given as one
  public List<CachedRange> popular(Set<String> blobKeys, long bytesMax, long gapMax) {
    age();
    List<CacheMap.Entry> meant = new ArrayList<>();
    for (Region region : regions.values()) {
      if (blobKeys.contains(region.key.blobKey())) {
        meant.add(region.entry());
      }
    }
    meant.sort(Comparator.comparingInt(CacheMap.Entry::frequency).reversed());
    List<CachedRange> ranges = new ArrayList<>();
    long left = bytesMax;
    for (CacheMap.Entry entry : meant) {
      for (ByteRange range : ByteRange.coalesced(runs(entry), gapMax)) {
        left -= range.length();
        if (left < 0) {
          return ranges;
        }
        ranges.add(new CachedRange(entry.key().blobKey(), range));
      }
    }
    return ranges;
  }

  private static List<ByteRange> runs(CacheMap.Entry entry) {
    List<ByteRange> runs = new ArrayList<>();
    BitSet filled = entry.filled();
    int end;
    for (int page = filled.nextSetBit(0); page >= 0; page = filled.nextSetBit(end)) {
      end = filled.nextClearBit(page);
      runs.add(
          new ByteRange(
              entry.key().start() + (long) page * BlobInputs.PAGE_BYTES,
              entry.key().start() + (long) end * BlobInputs.PAGE_BYTES));
    }
    return runs;
  }

  /// Ends all regions; their files stay for the next life.
  public void close() throws IOException {
    try {
      age();
      for (Region region : regions.values()) {
        region.force();
      }
      map(true).write(folder);
    } finally {
      for (Region region : regions.values()) {
        region.unmap();
      }
      regions.clear();
      bytes = 0;
      unmapGhosts(Long.MAX_VALUE);
    }
  }

  public Path folder() {
    return folder;
  }

  public int count() {
    return regions.size();
  }

  public long bytes() {
    return bytes;
  }

  public long evictions() {
    return evictions;
  }

  /// @param heatMax a region that is used more than this stays
  private boolean evictColdest(int heatMax) {
    long now = period();
    Region coldest = null;
    int coldestHeat = Integer.MAX_VALUE;
    for (Region region : regions.values()) {
      int heat = region.heat(now);
      if (!region.isFilling()
          && (heat < coldestHeat
              || (heat == coldestHeat
                  && coldest != null
                  && region.touchedPeriod() < coldest.touchedPeriod()))) {
        coldest = region;
        coldestHeat = heat;
      }
    }
    if (coldest == null || coldestHeat > heatMax) {
      return false;
    }
    remove(coldest);
    evictions++;
    return true;
  }

  private void remove(Region region) {
    regions.remove(region.key);
    bytes -= region.filledBytes();
    limboBytes += region.filledBytes();
    limbo.add(new Ghost(region, region.filledBytes(), clock.nanoTime() + graceNanos));
    try {
      region.retire();
    } catch (IOException e) {
      // The room is lost until the next start, which deletes the file; no reader is wrong.
      LOG.warn("cannot delete an evicted cache region [folder={}]", folder, e);
    }
  }

  private void unmapGhosts(long nowNanos) {
    Ghost oldest = limbo.peek();
    while (oldest != null && (nowNanos == Long.MAX_VALUE || nowNanos - oldest.unmapNanos >= 0)) {
      limbo.remove();
      limboBytes -= oldest.bytes;
      oldest.region.unmap();
      oldest = limbo.peek();
    }
  }

  private long period() {
    return clock.nanoTime() / periodNanos;
  }
}
