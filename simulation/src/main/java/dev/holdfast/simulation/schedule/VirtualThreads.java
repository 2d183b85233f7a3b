package dev.holdfast.simulation.schedule;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;

/// What the JDK does not offer in public: virtual threads with a scheduler of our own, and whether
/// one of them waits for a monitor. Needs `--add-opens java.base/java.lang=ALL-UNNAMED`.
final class VirtualThreads {
  private static final int BLOCKED = 13;
  private static final int UNBLOCKED = 14;
  private static final int WAITING_LAST = 18;
  private static final MethodHandle BUILDER;
  private static final VarHandle STATE;

  static {
    // Threads of killed processes never end: the JDK must not hold on to them.
    System.setProperty("jdk.trackAllThreads", "false");
    try {
      Class<?> builder = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
      BUILDER =
          MethodHandles.privateLookupIn(builder, MethodHandles.lookup())
              .findConstructor(builder, MethodType.methodType(void.class, Executor.class));
      Class<?> thread = Class.forName("java.lang.VirtualThread");
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(thread, MethodHandles.lookup());
      STATE = lookup.findVarHandle(thread, "state", int.class);
      TimedWaits.install();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "the simulation needs JDK 25 and --add-opens java.base/java.lang=ALL-UNNAMED", e);
    }
  }

  private VirtualThreads() {}

  /// A thread whose every step is given to `scheduler`.
  static Thread unstarted(Executor scheduler, String name, Runnable work) {
    try {
      Thread.Builder.OfVirtual builder = (Thread.Builder.OfVirtual) BUILDER.invoke(scheduler);
      return builder.name(name).unstarted(work);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /// Whether it waits for a monitor or in `Object.wait`: then the JDK's own thread wakes it.
  static boolean isAtMonitor(Thread thread) {
    int state = (int) STATE.getVolatile(thread);
    return state >= BLOCKED && state <= WAITING_LAST;
  }

  /// Whether it stopped to enter a monitor, though it may be free to by now.
  static boolean isBlocked(Thread thread) {
    int state = (int) STATE.getVolatile(thread);
    return state == BLOCKED || state == UNBLOCKED;
  }

  /// Whether a thread that has stopped stands in a class whose name begins so.
  static boolean isInside(Thread thread, String classes) {
    StackTraceElement[] frames = thread.getStackTrace();
    return frames.length > 0 && frames[0].getClassName().startsWith(classes);
  }
}
