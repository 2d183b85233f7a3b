package dev.holdfast.benchmark.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/// What a measurement ran on: figures without it are worth nothing.
public final class Machine {
  private Machine() {}

  /// A line for people: processors, memory, what else kept it busy just now, kernel, Java, day.
  public static String words() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return String.format(
        Locale.ROOT,
        "%d x %s, %.0f GiB, load %.1f, %s %s, Java %s, %s",
        system.getAvailableProcessors(),
        processor(),
        system.getTotalMemorySize() / (double) (1 << 30),
        system.getSystemLoadAverage(),
        system.getName(),
        system.getVersion(),
        Runtime.version(),
        LocalDate.now(ZoneOffset.UTC));
  }

  private static String processor() {
    try {
      return Files.readString(Path.of("/proc/cpuinfo"))
          .lines()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch", "unknown"));
    } catch (IOException _) {
      return System.getProperty("os.arch", "unknown"); // not Linux
    }
  }
}
