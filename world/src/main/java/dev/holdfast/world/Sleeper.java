package dev.holdfast.world;

import java.time.Duration;

/// Waits.
public interface Sleeper {
  void sleep(Duration duration) throws InterruptedException;
}
