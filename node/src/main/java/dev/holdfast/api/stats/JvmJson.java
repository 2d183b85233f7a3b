package dev.holdfast.api.stats;

import dev.holdfast.world.FromTheWorld;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.Locale;

/// What the Java machine uses: the section `jvm`.
public final class JvmJson {
  private JvmJson() {}

  @FromTheWorld
  public static void write(
      StatisticsWriter figures, HostStats machine, long nowMillis, long startMillis)
      throws IOException {
    figures.number("timestamp", nowMillis);
    figures.millis("uptime", Math.max(0, nowMillis - startMillis));
    figures.object("mem", () -> memory(figures, machine));
    figures.object(
        "threads",
        () -> {
          figures.number("count", ManagementFactory.getThreadMXBean().getThreadCount());
          figures.number("peak_count", ManagementFactory.getThreadMXBean().getPeakThreadCount());
        });
    figures.object("gc", () -> figures.object("collectors", () -> collectors(figures)));
    figures.object("buffer_pools", () -> buffers(figures));
    figures.object(
        "classes",
        () -> {
          var classes = ManagementFactory.getClassLoadingMXBean();
          figures.number("current_loaded_count", classes.getLoadedClassCount());
          figures.number("total_loaded_count", classes.getTotalLoadedClassCount());
          figures.number("total_unloaded_count", classes.getUnloadedClassCount());
        });
  }

  private static void memory(StatisticsWriter figures, HostStats machine) throws IOException {
    figures.bytes("heap_used", machine.heapUsed());
    figures.number("heap_used_percent", 100 * machine.heapUsed() / machine.heapMax());
    figures.bytes("heap_committed", machine.heapCommitted());
    figures.bytes("heap_max", machine.heapMax());
    figures.bytes("non_heap_used", machine.otherUsed());
    figures.bytes("non_heap_committed", machine.otherCommitted());
    figures.object("pools", () -> pools(figures));
  }

  /// Every collector's pools under the three names that clients read.
  private static void pools(StatisticsWriter figures) throws IOException {
    for (String generation : new String[] {"young", "survivor", "old"}) {
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
        if (generation.equals(generation(pool.getName()))) {
          figures.object(
              generation,
              () -> {
                figures.bytes("used", pool.getUsage().getUsed());
                figures.bytes("max", Math.max(0, pool.getUsage().getMax()));
                figures.bytes("peak_used", pool.getPeakUsage().getUsed());
                figures.bytes("peak_max", Math.max(0, pool.getPeakUsage().getMax()));
              });
        }
      }
    }
  }

  private static String generation(String pool) {
    String name = pool.toLowerCase(Locale.ROOT);
    if (name.contains("eden")) {
      return "young";
    }
    if (name.contains("survivor")) {
      return "survivor";
    }
    return name.contains("old") || name.contains("tenured") ? "old" : "";
  }

  /// Two collectors, young and old, whatever the Java machine calls its own.
  private static void collectors(StatisticsWriter figures) throws IOException {
    for (String generation : new String[] {"young", "old"}) {
      long count = 0;
      long millis = 0;
      for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
        if (isOld(collector.getName()) == generation.equals("old")) {
          count += Math.max(0, collector.getCollectionCount());
          millis += Math.max(0, collector.getCollectionTime());
        }
      }
      long collections = count;
      long time = millis;
      figures.object(
          generation,
          () -> {
            figures.number("collection_count", collections);
            figures.millis("collection_time", time);
          });
    }
  }

  private static boolean isOld(String collector) {
    return collector.contains("Old")
        || collector.contains("MarkSweep")
        || collector.contains("Major");
  }

  private static void buffers(StatisticsWriter figures) throws IOException {
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      figures.object(
          pool.getName(),
          () -> {
            figures.number("count", pool.getCount());
            figures.bytes("used", pool.getMemoryUsed());
            figures.bytes("total_capacity", pool.getTotalCapacity());
          });
    }
  }
}
