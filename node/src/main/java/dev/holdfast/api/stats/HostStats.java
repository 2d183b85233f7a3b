package dev.holdfast.api.stats;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.holdfast.world.FromTheWorld;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What the machine and this process use at one moment; bytes, milliseconds, percent. What the
/// system does not tell is -1.
public record HostStats(
    long process,
    double cpuLoad,
    double processCpuLoad,
    long processCpuMillis,
    List<Double> loads,
    long memoryTotal,
    long memoryFree,
    long swapTotal,
    long swapFree,
    long virtualBytes,
    long filesOpen,
    long filesMax,
    long heapUsed,
    long heapCommitted,
    long heapMax,
    long otherUsed,
    long otherCommitted,
    String dataFolder,
    String diskName,
    String diskType,
    long diskTotal,
    long diskFree,
    long diskUsable) {

  /// @param data the folder whose disk is meant
  @FromTheWorld
  public static HostStats now(Path data) {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    MemoryUsage other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
    boolean isUnix = system instanceof UnixOperatingSystemMXBean;
    Disk disk = Disk.of(data);
    return new HostStats(
        ProcessHandle.current().pid(),
        system.getCpuLoad(),
        system.getProcessCpuLoad(),
        system.getProcessCpuTime() / 1_000_000,
        loads(system.getSystemLoadAverage()),
        system.getTotalMemorySize(),
        system.getFreeMemorySize(),
        system.getTotalSwapSpaceSize(),
        system.getFreeSwapSpaceSize(),
        system.getCommittedVirtualMemorySize(),
        isUnix ? ((UnixOperatingSystemMXBean) system).getOpenFileDescriptorCount() : -1,
        isUnix ? ((UnixOperatingSystemMXBean) system).getMaxFileDescriptorCount() : -1,
        heap.getUsed(),
        heap.getCommitted(),
        Runtime.getRuntime().maxMemory(),
        other.getUsed(),
        other.getCommitted(),
        data.toString(),
        disk.name,
        disk.type,
        disk.total,
        disk.free,
        disk.usable);
  }

  @FromTheWorld
  public static String systemName() {
    return System.getProperty("os.name", "");
  }

  @FromTheWorld
  public static String architecture() {
    return System.getProperty("os.arch", "");
  }

  /// Platform threads that live now.
  public static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  /// Percent of all processors, -1 when unknown.
  public long cpuPercent() {
    return cpuLoad < 0 ? -1 : Math.round(100 * cpuLoad);
  }

  /// The load average of the last 1, 5 or 15 minutes.
  public double load(int which) {
    return loads.get(which);
  }

  /// The three averages where the system has them as a file, else the first alone.
  private static List<Double> loads(double first) {
    List<Double> loads = new ArrayList<>();
    try {
      String[] words = Files.readString(Path.of("/proc/loadavg")).split(" ", -1);
      for (int i = 0; i < 3; i++) {
        loads.add(Double.parseDouble(words[i]));
      }
    } catch (IOException | NumberFormatException e) {
      return List.of(first, -1.0, -1.0);
    }
    return loads;
  }

  private record Disk(String name, String type, long total, long free, long usable) {
    static Disk of(Path folder) {
      try {
        FileStore store = Files.getFileStore(folder);
        return new Disk(
            store.name(),
            store.type(),
            store.getTotalSpace(),
            store.getUnallocatedSpace(),
            store.getUsableSpace());
      } catch (IOException e) {
        return new Disk("", "", 0, 0, 0);
      }
    }
  }
}
