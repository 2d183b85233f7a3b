package dev.holdfast.world.real;

import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.HeapUse;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The heap of this process, by the JDK's own beans.
@FromTheWorld
final class ProcessHeap implements HeapUse.Source {
  private final List<MemoryPoolMXBean> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .toList();
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();
  private final List<GarbageCollectorMXBean> wholeCollectors =
      collectors.stream().filter(ProcessHeap::isWhole).toList();

  /// What young collections leave alone may have grown since it was collected last: what was made
  /// there at once, and what was moved there. It counts as alive until somebody looks.
  @Override
  public long alive() {
    long bytes = 0;
    for (MemoryPoolMXBean pool : pools) {
      MemoryUsage usage = isOld(pool) ? pool.getUsage() : pool.getCollectionUsage();
      bytes += usage == null ? 0 : usage.getUsed();
    }
    return bytes;
  }

  @Override
  public long wholeCollections() {
    return collections(wholeCollectors);
  }

  private static boolean isWhole(GarbageCollectorMXBean collector) {
    return Arrays.stream(collector.getMemoryPoolNames()).anyMatch(ProcessHeap::isOld)
        && !collector.getName().contains("Concurrent")
        && !collector.getName().contains("Young");
  }

  /// What survives must fit where young collections leave it alone: beyond that, in collectors
  /// whose generations have fixed sizes, each collection is one of the whole heap.
  @Override
  public long room() {
    long room = Long.MAX_VALUE;
    for (MemoryPoolMXBean pool : pools) {
      if (isOld(pool) && pool.getUsage().getMax() > 0) {
        room = pool.getUsage().getMax();
      }
    }
    return room;
  }

  @Override
  public long max() {
    return Runtime.getRuntime().maxMemory();
  }

  @Override
  public long free() {
    Runtime process = Runtime.getRuntime();
    return process.maxMemory() - process.totalMemory() + process.freeMemory();
  }

  private static boolean isOld(MemoryPoolMXBean pool) {
    return isOld(pool.getName());
  }

  private static boolean isOld(String pool) {
    return pool.contains("Old") || pool.contains("Tenured");
  }

  @Override
  public long collections() {
    return collections(collectors);
  }

  private static long collections(List<GarbageCollectorMXBean> of) {
    long count = 0;
    for (GarbageCollectorMXBean collector : of) {
      count += collector.getCollectionCount();
    }
    return count;
  }

  @Override
  public void collect() {
    System.gc();
  }

  /// Collectors that run beside everything else tell their cycles apart from their stops.
  @Override
  public long stoppedNanos() {
    long millis = 0;
    for (GarbageCollectorMXBean collector : collectors) {
      String name = collector.getName();
      if (!name.contains("Cycles") && !name.contains("Concurrent")) {
        millis += collector.getCollectionTime();
      }
    }
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Override
  public void pause(long nanos) throws InterruptedException {
    Thread.sleep(Duration.ofNanos(nanos));
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }
}
