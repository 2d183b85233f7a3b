package dev.holdfast.clusterstate.local;

import dev.holdfast.world.FromTheWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Which machine a process runs on. A lock of a file says something of processes on the same
/// machine only, and a disk may be copied to another one with all that is on it.
///
/// @param boot id of the machine's start, one for all containers on it; empty where the system
///   tells none
/// @param hardware id of the machine itself, which no copy of a disk brings along; empty where it
///   is not told
record MachineId(String boot, String hardware) {
  private static final String BOOT = "boot ";
  private static final String HARDWARE = "hardware ";

  /// This one.
  @FromTheWorld
  static MachineId current() {
    return new MachineId(
        line(Path.of("/proc/sys/kernel/random/boot_id")),
        line(Path.of("/sys/class/dmi/id/product_uuid")));
  }

  private static String line(Path file) {
    try {
      return Files.readString(file).trim();
    } catch (IOException | SecurityException e) {
      return ""; // not Linux, or not for us to see
    }
  }

  /// Whether an earlier process that noted `earlier` ran here, so that its lock would be seen.
  /// Where a machine can't be told from others, it is taken for the same.
  boolean wasHere(MachineId earlier) {
    boolean isSameBoot = !boot.isEmpty() && boot.equals(earlier.boot);
    boolean isSameHardware = !hardware.isEmpty() && hardware.equals(earlier.hardware);
    boolean isUntold = boot.isEmpty() && hardware.isEmpty();
    return isSameBoot || isSameHardware || isUntold;
  }

  List<String> lines() {
    return List.of(BOOT + boot, HARDWARE + hardware);
  }

  static MachineId read(List<String> lines) {
    String boot = "";
    String hardware = "";
    for (String line : lines) {
      if (line.startsWith(BOOT)) {
        boot = line.substring(BOOT.length()).trim();
      } else if (line.startsWith(HARDWARE)) {
        hardware = line.substring(HARDWARE.length()).trim();
      }
    }
    return new MachineId(boot, hardware);
  }
}
