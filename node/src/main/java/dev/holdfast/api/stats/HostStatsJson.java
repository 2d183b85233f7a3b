package dev.holdfast.api.stats;

import dev.holdfast.world.FromTheWorld;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;

/// What a machine uses, in the sections `os`, `process` and `fs`.
public final class HostStatsJson {
  private HostStatsJson() {}

  public static void os(StatisticsWriter figures, HostStats machine, long nowMillis)
      throws IOException {
    figures.number("timestamp", nowMillis);
    figures.object(
        "cpu",
        () -> {
          figures.number("percent", machine.cpuPercent());
          figures.object(
              "load_average",
              () -> {
                figures.decimal("1m", machine.load(0));
                figures.decimal("5m", machine.load(1));
                figures.decimal("15m", machine.load(2));
              });
        });
    NodesJson.memory(figures, machine.memoryTotal(), machine.memoryFree());
    figures.object(
        "swap",
        () -> {
          figures.bytes("total", machine.swapTotal());
          figures.bytes("free", machine.swapFree());
          figures.bytes("used", machine.swapTotal() - machine.swapFree());
        });
  }

  public static void process(StatisticsWriter figures, HostStats machine, long nowMillis)
      throws IOException {
    figures.number("timestamp", nowMillis);
    figures.number("open_file_descriptors", machine.filesOpen());
    figures.number("max_file_descriptors", machine.filesMax());
    figures.object(
        "cpu",
        () -> {
          figures.number("percent", Math.round(100 * Math.max(0, machine.processCpuLoad())));
          figures.millis("total", machine.processCpuMillis());
        });
    figures.object("mem", () -> figures.bytes("total_virtual", machine.virtualBytes()));
  }

  public static void disk(StatisticsWriter figures, HostStats machine, long nowMillis)
      throws IOException {
    figures.number("timestamp", nowMillis);
    figures.object(
        "total",
        () -> {
          figures.bytes("total", machine.diskTotal());
          figures.bytes("free", machine.diskFree());
          figures.bytes("available", machine.diskUsable());
        });
    figures.objects(
        "data",
        () -> {
          figures.text("path", machine.dataFolder());
          figures.text("mount", machine.diskName());
          figures.text("type", machine.diskType());
          figures.bytes("total", machine.diskTotal());
          figures.bytes("free", machine.diskFree());
          figures.bytes("available", machine.diskUsable());
        });
  }

  /// What the machine is, for the sums of `_cluster/stats`.
  @FromTheWorld
  public static void machine(StatisticsWriter figures) throws IOException {
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    figures.number("processors", Runtime.getRuntime().availableProcessors());
    figures.text("name", HostStats.systemName());
    figures.text("arch", HostStats.architecture());
    figures.object(
        "jvm",
        () -> {
          figures.text("version", System.getProperty("java.version", ""));
          figures.text("vm_name", runtime.getVmName());
          figures.text("vm_version", runtime.getVmVersion());
          figures.text("vm_vendor", runtime.getVmVendor());
        });
  }
}
