package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class CarrierThreadsTest {
  private static final int PATIENCE_SECONDS = 60;

  @Test
  void thereAreMoreThanProcessors() {
    assertThat(CarrierThreads.of(1)).isEqualTo(8);
    assertThat(CarrierThreads.of(2)).isEqualTo(8);
    assertThat(CarrierThreads.of(16)).isEqualTo(64);
  }

  /// Else the process never ends: threads that compute wait for one that is not let run.
  @Test
  void threadsThatComputeKeepNoneFromRunning() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Computing.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("it ended").isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  /// Twice as many threads as may run compute until the last has run.
  static final class Computing {
    private Computing() {}

    public static void main(String[] arguments) throws InterruptedException {
      CarrierThreads.allow();
      AtomicBoolean hasLastRun = new AtomicBoolean();
      List<Thread> computing = new ArrayList<>();
      int carriers = CarrierThreads.of(Runtime.getRuntime().availableProcessors());
      for (int i = 0; i < 2 * carriers; i++) {
        computing.add(Thread.ofVirtual().start(() -> compute(hasLastRun)));
      }
      computing.add(Thread.ofVirtual().start(() -> hasLastRun.set(true)));
      for (Thread one : computing) {
        one.join();
      }
    }

    private static void compute(AtomicBoolean hasLastRun) {
      while (!hasLastRun.get()) {
        Thread.onSpinWait();
      }
    }
  }
}
