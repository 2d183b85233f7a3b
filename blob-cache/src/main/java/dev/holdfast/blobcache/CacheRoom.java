package dev.holdfast.blobcache;

import dev.holdfast.blobcache.region.CacheMap;
import dev.holdfast.world.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How large a cache is whose size nobody has said.
public final class CacheRoom {
  /// All caches on a disk together take one half of it, and leave the other to all else.
  private static final int PART = 2;

  private CacheRoom() {}

  /// A share of the half of what is free on a folder's disk. What the cache itself holds there
  /// since an earlier life is free to it: else it would be smaller after each restart, and lose
  /// what it has.
  ///
  /// @param disk a folder that exists, of the disk
  /// @param cache the cache's own folder, which need not exist
  /// @param sharers caches that are on that disk, this one among them; 1 or more
  public static ByteSize of(Path disk, Path cache, int sharers) throws IOException {
    return share(Files.getFileStore(disk).getUsableSpace(), kept(cache), sharers);
  }

  static ByteSize share(long freeBytes, long keptBytes, int sharers) {
    return new ByteSize((freeBytes + keptBytes) / PART / sharers);
  }

  /// Bytes of blobs that an earlier life has left in a cache's folder.
  static long kept(Path cache) {
    return CacheMap.read(cache, CacheMap.thisBoot()).bytes();
  }
}
