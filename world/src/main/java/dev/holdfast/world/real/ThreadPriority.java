package dev.holdfast.world.real;

import dev.holdfast.world.FromTheWorld;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How much of the processors a thread has while others want them, too. The Java machine's own
/// priorities mean nothing on Linux, where the kernel has one for each thread: anybody may lower
/// it, and only the privileged may raise it again, so a thread that was lowered ends with what it
/// does.
@FromTheWorld
public final class ThreadPriority {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadPriority.class);

  /// What a lowered thread has more of the kernel's "nice" value. Another one has nine times as
  /// much of a processor that both want.
  static final int STEP = 10;

  private static final int NICE_MAX = 19;
  private static final int PRIO_PROCESS = 0;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final Path SELF = Path.of("/proc/thread-self");
  private static final LongAdder COUNT = new LongAdder();

  private ThreadPriority() {}

  /// How many threads have been lowered since the start; 0 for ever where that can't be done.
  public static long lowered() {
    return COUNT.sum();
  }

  /// The kernel's number of the thread that asks; 0 where there is none.
  static int self() {
    try {
      return Integer.parseInt(Files.readSymbolicLink(SELF).getFileName().toString());
    } catch (IOException | RuntimeException e) {
      LOG.debug("this system has no numbers of threads [why={}]", e.toString());
      return 0;
    }
  }

  /// Gives a thread of this process less.
  ///
  /// @param thread its number, as it has told it
  /// @return whether that was done
  static boolean lower(int thread) {
    Calls calls = thread == 0 ? null : Found.CALLS;
    if (calls == null) {
      return false;
    }
    try {
      int nice = (int) calls.getPriority.invokeExact(PRIO_PROCESS, thread);
      int lower = Math.min(NICE_MAX, nice + STEP);
      int failed = (int) calls.setPriority.invokeExact(PRIO_PROCESS, thread, lower);
      if (failed == 0) {
        COUNT.increment();
      }
      return failed == 0;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("setpriority cannot be called", e);
    }
  }

  private record Calls(MethodHandle getPriority, MethodHandle setPriority) {}

  /// Looked for when the first thread is lowered: whoever starts needs none.
  private static final class Found {
    static final @Nullable Calls CALLS = find();

    @SuppressWarnings("restricted") // two calls, of the C library, with arguments of our own
    private static @Nullable Calls find() {
      try {
        Linker linker = Linker.nativeLinker();
        SymbolLookup library = linker.defaultLookup();
        return new Calls(
            linker.downcallHandle(
                library.findOrThrow("getpriority"), FunctionDescriptor.of(INT, INT, INT)),
            linker.downcallHandle(
                library.findOrThrow("setpriority"), FunctionDescriptor.of(INT, INT, INT, INT)));
      } catch (RuntimeException | LinkageError e) {
        LOG.debug("threads keep their priority [why={}]", e.toString());
        return null;
      }
    }
  }
}
