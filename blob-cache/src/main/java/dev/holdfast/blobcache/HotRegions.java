package dev.holdfast.blobcache;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The hot regions of blobs, pinned on the heap within a budget; the ones used longest ago go
/// first, and are then read by page like the rest.
final class HotRegions {
  private final long bytesMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, HotRegion> byBlob = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  HotRegions(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// The range that covers the position; reads the blob's hot region when it is not here. Readers
  /// that race to be first each read it: they asked for different pages and all go on at once.
  HotRegion.@Nullable Range covering(Blob blob, long position) throws IOException {
    HotRegion hot = held(blob.key());
    if (hot == null) {
      hot = blob.readHot().orElse(null);
      if (hot == null) {
        return null;
      }
      hold(blob.key(), hot);
    }
    return hot.covering(position);
  }

  void drop(String blobKey) {
    lock.lock();
    try {
      HotRegion gone = byBlob.remove(blobKey);
      bytes -= gone == null ? 0 : gone.bytes();
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

  private void hold(String blobKey, HotRegion hot) {
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
