package dev.holdfast.world.real;

import dev.holdfast.world.Tasks;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The failures in a row of one task that is repeated. The first of each class is told at once, the
/// others by powers of two: a task that fails ten times a second for an hour is some twenty lines,
/// not a full disk.
///
/// Of the one thread that repeats the task.
final class FailedRuns {
  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

  private final String name;
  private final Set<String> told = new HashSet<>();
  private long times;

  FailedRuns(String name) {
    this.name = name;
  }

  void failed(Throwable why) {
    times++;
    if (told.add(why.getClass().getName()) || Long.bitCount(times) == 1) {
      LOG.error("repeated task failed, will run again [name={}, times={}]", name, times, why);
    }
  }

  void succeeded() {
    if (times > 1) {
      LOG.info("repeated task succeeded again [name={}, failures={}]", name, times);
    }
    if (times > 0) {
      times = 0;
      told.clear();
    }
  }
}
