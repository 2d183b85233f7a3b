package dev.holdfast.world.real;

import dev.holdfast.world.FromTheWorld;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/// The virtual threads of this process that run at this moment, by the platform threads that carry
/// them: the stack of a carrier says nothing of what it works for.
///
/// Not by the JDK's own dump (`HotSpotDiagnosticMXBean.dumpThreads`), which knows all virtual
/// threads: that of 25.0.3 ends the process now and then, when a thread leaves its carrier while
/// its frames are read (a SIGSEGV in `JVM_CreateThreadSnapshot`, seen under load).
@FromTheWorld
public final class MountedThreads {
  private static final Map<RealTasks, Boolean> STARTERS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private MountedThreads() {}

  /// A virtual thread.
  ///
  /// @param frames innermost first
  public record Mounted(String name, List<StackTraceElement> frames) {}

  static void startedBy(RealTasks tasks) {
    STARTERS.put(tasks, true);
  }

  /// Those that were started as tasks, as all of ours are. One look at a time: there may be many.
  ///
  /// @return by the name of the carrier
  public static synchronized Map<String, Mounted> now() {
    List<RealTasks> starters;
    synchronized (STARTERS) {
      starters = List.copyOf(STARTERS.keySet());
    }
    Map<String, Mounted> byCarrier = new HashMap<>();
    for (RealTasks tasks : starters) {
      for (Thread thread : tasks.running()) {
        String carrier = carrier(thread.toString());
        if (!carrier.isEmpty()) {
          byCarrier.put(carrier, new Mounted(thread.getName(), List.of(thread.getStackTrace())));
        }
      }
    }
    return byCarrier;
  }

  /// What a virtual thread says of itself: `VirtualThread[#30,name]/runnable@carrier`, without the
  /// last part when it waits.
  private static String carrier(String told) {
    int state = told.lastIndexOf("]/");
    int at = told.indexOf('@', state);
    return state < 0 || at < 0 ? "" : told.substring(at + 1);
  }
}
