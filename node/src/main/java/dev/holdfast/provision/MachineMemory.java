package dev.holdfast.provision;

import dev.holdfast.world.FromTheWorld;
import java.lang.management.ManagementFactory;

/// How many processes like this one a machine has memory for: those that it starts have its heap.
final class MachineMemory {
  private MachineMemory() {}

  @FromTheWorld
  static int processes() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return processes(system.getTotalMemorySize(), Runtime.getRuntime().maxMemory());
  }

  /// As many as their heaps fit, 1 at least. What a process needs beside its heap is not counted:
  /// heaps are rarely full, and whoever wants every last one says a smaller heap.
  static int processes(long totalBytes, long heapBytes) {
    return Math.clamp(totalBytes / heapBytes, 1, Integer.MAX_VALUE);
  }
}
