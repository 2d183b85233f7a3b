package dev.holdfast.api.ingest.attachment;

import java.time.Duration;

/// What parsing files may take of the machine, besides the heap of the node.
///
/// @param processes at once
/// @param heapBytes of each process
/// @param fileBytesMax of a file
/// @param fileTimeMax how long a file may take
/// @param waitMax how long a file waits for a process
public record ParserLimits(
    int processes, long heapBytes, int fileBytesMax, Duration fileTimeMax, Duration waitMax) {
  private static final int PROCESSES_MAX = 4;
  private static final int MIB = 1 << 20;
  private static final long HEAP_MIN = 128L * MIB;
  private static final long HEAP_MAX = 512L * MIB;

  /// A parser holds a file, and what it makes of it.
  private static final int HEAP_OF_FILE = 4;

  /// A quarter of the node's heap for each process, one for two processors.
  ///
  /// @param heap bytes that the node may have
  static ParserLimits of(int processors, long heap) {
    long each = Math.clamp(heap / 4, HEAP_MIN, HEAP_MAX) / MIB * MIB;
    return new ParserLimits(
        Math.clamp(processors / 2, 1, PROCESSES_MAX),
        each,
        (int) (each / HEAP_OF_FILE),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60));
  }

  /// Those of this machine.
  public static ParserLimits ofMachine() {
    Runtime machine = Runtime.getRuntime();
    return of(machine.availableProcessors(), machine.maxMemory());
  }
}
