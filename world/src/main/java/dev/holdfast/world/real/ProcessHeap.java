package dev.holdfast.world.real;

import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.HeapUse;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/// The heap of this process, by the JDK's own beans.
@FromTheWorld
final class ProcessHeap implements HeapUse.Source {
  private final List<MemoryPoolMXBean> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .toList();
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();

  @Override
  public long alive() {
    long bytes = 0;
    for (MemoryPoolMXBean pool : pools) {
      MemoryUsage usage = pool.getCollectionUsage();
      bytes += usage == null ? 0 : usage.getUsed();
    }
    return bytes;
  }

  @Override
  public long collections() {
    long count = 0;
    for (GarbageCollectorMXBean collector : collectors) {
      count += collector.getCollectionCount();
    }
    return count;
  }

  @Override
  public void collect() {
    System.gc();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }
}
