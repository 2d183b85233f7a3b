package dev.holdfast.benchmark.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/// Processor time that some processes cannot exceed together, as if they ran on a smaller machine:
/// a control group of Linux with a quota. Making one takes root.
final class CpuShare implements AutoCloseable {
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");

  /// Short, so that whoever has used up its share stands still for milliseconds only.
  private static final int PERIOD_MICROS = 10_000;

  private static final int REMOVALS_MAX = 600;
  private static final long PAUSE_NANOS = 100_000_000;

  private final Path group;

  private CpuShare(Path group) {
    this.group = group;
  }

  /// @param cores may be a part of one
  static CpuShare create(String name, double cores) throws IOException {
    Path parent = isUnified() ? GROUPS : GROUPS.resolve("cpu");
    try {
      if (isUnified()) {
        var _ = Files.writeString(GROUPS.resolve("cgroup.subtree_control"), "+cpu");
      }
      Path group = parent.resolve("holdfast-" + ProcessHandle.current().pid() + "-" + name);
      CpuShare share = new CpuShare(Files.createDirectory(group));
      share.set(cores);
      return share;
    } catch (IOException e) {
      throw new IOException(
          "no control group can be made in " + parent + ": it takes Linux and root", e);
    }
  }

  /// Version 2, where one tree has all controllers.
  private static boolean isUnified() {
    return Files.exists(GROUPS.resolve("cgroup.controllers"));
  }

  void set(double cores) throws IOException {
    long quota = Math.max(1000, Math.round(cores * PERIOD_MICROS));
    if (isUnified()) {
      write("cpu.max", String.format(Locale.ROOT, "%d %d", quota, PERIOD_MICROS));
    } else {
      write("cpu.cfs_period_us", Integer.toString(PERIOD_MICROS));
      write("cpu.cfs_quota_us", Long.toString(quota));
    }
  }

  private void write(String file, String value) throws IOException {
    var _ = Files.writeString(group.resolve(file), value);
  }

  /// What goes before a command that is to run in it from its first moment on.
  List<String> inside() {
    String join = "echo $$ >\"$0\" && exec \"$@\"";
    return List.of("sh", "-c", join, group.resolve("cgroup.procs").toString());
  }

  /// Moves a process that runs, with all its threads.
  void take(long pid) throws IOException {
    write("cgroup.procs", Long.toString(pid));
  }

  /// Its processes must have ended, or be about to.
  @Override
  public void close() throws IOException {
    for (int i = 1; ; i++) {
      try {
        Files.deleteIfExists(group);
        return;
      } catch (IOException e) {
        if (i == REMOVALS_MAX) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
