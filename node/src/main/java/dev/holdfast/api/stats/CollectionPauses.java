package dev.holdfast.api.stats;

import com.sun.management.GarbageCollectionNotificationInfo;
import dev.holdfast.world.metric.Histogram;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/// How long collections of the heap have stopped this process, since somebody began to measure.
/// Collections beside the program (their names say "Concurrent" or "Cycles") stop nothing.
public final class CollectionPauses {
  private final Histogram seconds = Histogram.ofSeconds();

  private CollectionPauses() {}

  /// Measures from now on.
  public static CollectionPauses begin() {
    CollectionPauses pauses = new CollectionPauses();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      boolean stops =
          !collector.getName().contains("Concurrent") && !collector.getName().contains("Cycles");
      if (stops && collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(
            (event, _) -> pauses.heard(event.getUserData()), null, null);
      }
    }
    return pauses;
  }

  private void heard(Object data) {
    if (data instanceof CompositeData composite && composite.containsKey("gcInfo")) {
      seconds.record(
          GarbageCollectionNotificationInfo.from(composite).getGcInfo().getDuration() / 1000.0);
    }
  }

  public Histogram.Snapshot seconds() {
    return seconds.snapshot();
  }
}
