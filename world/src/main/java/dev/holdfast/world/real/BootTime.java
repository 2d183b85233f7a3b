package dev.holdfast.world.real;

import dev.holdfast.world.FromTheWorld;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `CLOCK_BOOTTIME` of Linux: nanoseconds since the machine was started, those in which it was
/// suspended among them. `System.nanoTime()` stands still then, and a node that wakes would believe
/// that no time has passed since it heard its leader.
@FromTheWorld
final class BootTime implements LongSupplier {
  private static final Logger LOG = LoggerFactory.getLogger(BootTime.class);
  private static final int CLOCK_BOOTTIME = 7;
  private static final long NANOS = 1_000_000_000L;

  private final MethodHandle clockGetTime;

  private BootTime(MethodHandle clockGetTime) {
    this.clockGetTime = clockGetTime;
  }

  /// Empty where the system has no such clock.
  @SuppressWarnings("restricted") // one call, of the C library, with arguments of our own
  static Optional<LongSupplier> find() {
    if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux")
        || ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
      return Optional.empty();
    }
    try {
      Linker linker = Linker.nativeLinker();
      Optional<MemorySegment> found = linker.defaultLookup().find("clock_gettime");
      if (found.isEmpty()) {
        return Optional.empty();
      }
      BootTime time =
          new BootTime(
              linker.downcallHandle(
                  found.get(),
                  FunctionDescriptor.of(
                      ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS)));
      long _ = time.getAsLong();
      return Optional.of(time);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("no clock goes on while this machine is suspended [why={}]", e.toString());
      return Optional.empty();
    }
  }

  @Override
  public long getAsLong() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time =
          arena.allocate(MemoryLayout.sequenceLayout(2, ValueLayout.JAVA_LONG)); // struct timespec
      int failed = (int) clockGetTime.invokeExact(CLOCK_BOOTTIME, time);
      if (failed != 0) {
        throw new IllegalStateException("clock_gettime failed [result=" + failed + "]");
      }
      return time.getAtIndex(ValueLayout.JAVA_LONG, 0) * NANOS
          + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("clock_gettime cannot be called", e);
    }
  }
}
