package dev.holdfast.blobcache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The regions on disk, their budget and their eviction: least frequently used first, frequencies
/// decaying with time (§3.2). Not thread-safe: the cache's lock guards it.
final class Regions {
  private static final Logger LOG = LoggerFactory.getLogger(BlobCache.class);
  private static final String FILE_PREFIX = "region-";

  private final Path folder;
  private final long bytesMax;
  private final int regionsMax;
  private final LongSupplier period;
  private final Map<RegionKey, Region> regions = new LinkedHashMap<>();
  private long bytes;
  private long files;
  private long evictions;

  /// @param period the running number of the decay period
  Regions(Path folder, long bytesMax, int regionsMax, LongSupplier period) throws IOException {
    this.folder = folder;
    this.bytesMax = bytesMax;
    this.regionsMax = regionsMax;
    this.period = period;
    Files.createDirectories(folder);
    try (var old = Files.newDirectoryStream(folder, FILE_PREFIX + "*")) {
      for (Path file : old) {
        Files.delete(file);
      }
    }
  }

  @Nullable Region get(RegionKey key) {
    return regions.get(key);
  }

  /// Takes room for pages that will be written; the region cannot be evicted until [#endFill].
  ///
  /// @return null when there is no room that may be taken
  @Nullable Region beginFill(RegionKey key, int firstPage, int endPage) throws IOException {
    Region region = regions.get(key);
    long room =
        (long) (region == null ? endPage - firstPage : region.missing(firstPage, endPage))
            * BlobInputs.PAGE_BYTES;
    if (room > bytesMax) {
      return null;
    }
    if (region != null) {
      region.beginFill();
    }
    while (bytes + room > bytesMax || (region == null && regions.size() >= regionsMax)) {
      if (!evictColdest()) {
        if (region != null) {
          region.endFill(firstPage, endPage, false);
        }
        return null;
      }
    }
    if (region == null) {
      region = Region.create(key, folder.resolve(FILE_PREFIX + files++), period.getAsLong());
      region.beginFill();
      regions.put(key, region);
    }
    bytes += room;
    return region;
  }

  void endFill(Region region, int firstPage, int endPage, boolean isWritten) {
    if (region.isClosed()) {
      // Dropped meanwhile: what it held was given back then, what was reserved is given back now.
      bytes -= (long) region.missing(firstPage, endPage) * BlobInputs.PAGE_BYTES;
      return;
    }
    if (!isWritten) {
      bytes -= (long) region.missing(firstPage, endPage) * BlobInputs.PAGE_BYTES;
    }
    region.endFill(firstPage, endPage, isWritten);
  }

  void drop(String blobKey) {
    List<Region> gone = new ArrayList<>();
    for (Region region : regions.values()) {
      if (region.key.blobKey().equals(blobKey)) {
        gone.add(region);
      }
    }
    gone.forEach(this::remove);
  }

  void clear() {
    List.copyOf(regions.values()).forEach(this::remove);
  }

  int count() {
    return regions.size();
  }

  long bytes() {
    return bytes;
  }

  long evictions() {
    return evictions;
  }

  private boolean evictColdest() {
    long now = period.getAsLong();
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
    if (coldest == null) {
      return false;
    }
    remove(coldest);
    evictions++;
    return true;
  }

  private void remove(Region region) {
    regions.remove(region.key);
    bytes -= region.filledBytes();
    try {
      region.close();
    } catch (IOException e) {
      // The room is lost until the next start, which deletes the file; no reader is wrong.
      LOG.warn("cannot delete an evicted cache region [folder={}]", folder, e);
    }
  }
}
