package dev.holdfast.api.nodes;

import dev.holdfast.http.TimeValue;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.real.MountedThreads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The threads of this process that used most of something in a span of time, with their stacks at
/// its end; for one that carries a virtual thread, the stack of that.
final class HotThreads {
  private static final int FRAMES_MAX = 40;

  private final World world;
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  HotThreads(World world) {
    this.world = world;
  }

  /// What is measured.
  enum Kind {
    CPU,
    WAIT,
    BLOCK,
    MEM
  }

  /// One that was busy.
  ///
  /// @param used nanoseconds, or bytes for [Kind#MEM]
  private record Used(long id, long used) {}

  /// @param shown at most so many, those that used most first
  String report(Kind kind, int shown, Duration interval) throws InterruptedException {
    boolean isToMonitor =
        (kind == Kind.WAIT || kind == Kind.BLOCK)
            && threads.isThreadContentionMonitoringSupported()
            && !threads.isThreadContentionMonitoringEnabled();
    if (isToMonitor) {
      threads.setThreadContentionMonitoringEnabled(true);
    }
    try {
      Map<Long, Long> before = measured(kind);
      Await.pause(world, interval);
      Map<Long, Long> after = measured(kind);
      return text(kind, busiest(before, after, shown), interval);
    } finally {
      if (isToMonitor) {
        threads.setThreadContentionMonitoringEnabled(false);
      }
    }
  }

  private static List<Used> busiest(Map<Long, Long> before, Map<Long, Long> after, int shown) {
    List<Used> busiest = new ArrayList<>();
    after.forEach((id, used) -> busiest.add(new Used(id, used - before.getOrDefault(id, used))));
    busiest.removeIf(one -> one.used <= 0);
    busiest.sort(Comparator.comparingLong(Used::used).reversed());
    return busiest.subList(0, Math.min(shown, busiest.size()));
  }

  private String text(Kind kind, List<Used> busiest, Duration interval) {
    Map<String, MountedThreads.Mounted> mounted = MountedThreads.now();
    StringBuilder text = new StringBuilder();
    for (Used one : busiest) {
      ThreadInfo info = threads.getThreadInfo(one.id, FRAMES_MAX);
      if (info == null) {
        continue; // it has ended
      }
      MountedThreads.Mounted carried = mounted.get(info.getThreadName());
      text.append(head(kind, one.used, interval));
      text.append(" usage by thread '").append(info.getThreadName()).append('\'');
      if (carried == null) {
        text.append('\n');
        for (StackTraceElement frame : info.getStackTrace()) {
          text.append("       ").append(frame).append('\n');
        }
      } else {
        text.append(", which carries virtual thread '").append(carried.name()).append("'\n");
        carried.frames().stream()
            .limit(FRAMES_MAX)
            .forEach(frame -> text.append("       ").append(frame).append('\n'));
      }
    }
    return text.toString();
  }

  private static String head(Kind kind, long used, Duration interval) {
    String name = kind.name().toLowerCase(Locale.ROOT);
    if (kind == Kind.MEM) {
      return "\n   " + new ByteSize(used) + " memory allocated, mem";
    }
    double percent = 100.0 * used / Math.max(1, interval.toNanos());
    return String.format(
        Locale.ROOT,
        "%n   %.1f%% [%s=%.1f%%] (%s out of %s) %s",
        percent,
        name,
        percent,
        TimeValue.text(used / 1_000_000),
        TimeValue.text(interval.toMillis()),
        name);
  }

  /// What each thread has used since it began.
  private Map<Long, Long> measured(Kind kind) {
    Map<Long, Long> used = new TreeMap<>();
    for (long id : threads.getAllThreadIds()) {
      long now =
          switch (kind) {
            case CPU -> threads.getThreadCpuTime(id);
            case MEM ->
                threads instanceof com.sun.management.ThreadMXBean sun
                    ? sun.getThreadAllocatedBytes(id)
                    : -1;
            case WAIT, BLOCK -> waited(threads.getThreadInfo(id), kind);
          };
      if (now >= 0) {
        used.put(id, now);
      }
    }
    return used;
  }

  private static long waited(ThreadInfo info, Kind kind) {
    if (info == null) {
      return -1;
    }
    long millis = kind == Kind.WAIT ? info.getWaitedTime() : info.getBlockedTime();
    return millis < 0 ? -1 : millis * 1_000_000;
  }
}
