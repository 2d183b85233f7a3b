package dev.holdfast.world.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Virtual threads that compute for long, and others beside them.
final class SharedProcessorTest {
  private static final int PATIENCE_SECONDS = 60;

  /// Else the process never ends: what computes waits for a thread that is not let run.
  ///
  /// @param how at once, or in many short pieces
  @ParameterizedTest
  @ValueSource(strings = {"whole", "pieces"})
  void whatComputesLetsOthersRunThatHaveNoOtherProcessor(String how) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                "-cp",
                System.getProperty("java.class.path"),
                Computing.class.getName(),
                how)
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

  /// A request with another signal within, as searches have for their last merge.
  static final class Computing {
    private Computing() {}

    public static void main(String[] arguments) throws InterruptedException {
      World world = RealWorld.create();
      CountDownLatch isComputing = new CountDownLatch(1);
      AtomicBoolean hasOtherRun = new AtomicBoolean();
      StopSignal request = StopSignal.of(() -> false, world.clock()).sharing();
      StopSignal merge = StopSignal.of(() -> false, world.clock());
      Runnable whole =
          () ->
              request.<Boolean, RuntimeException>during(() ->
                  merge.<Boolean, RuntimeException>during(() -> compute(isComputing, hasOtherRun)));
      Runnable pieces =
          () -> {
            isComputing.countDown();
            while (!hasOtherRun.get()) {
              boolean _ = request.<Boolean, RuntimeException>during(Computing::look);
            }
          };
      Thread computing = Thread.ofVirtual().start(arguments[0].equals("whole") ? whole : pieces);
      isComputing.await();
      Thread other = Thread.ofVirtual().start(() -> hasOtherRun.set(true));
      computing.join();
      other.join();
    }

    private static boolean look() {
      StopSignal.lookForCancelling();
      return true;
    }

    private static boolean compute(CountDownLatch isComputing, AtomicBoolean hasOtherRun) {
      isComputing.countDown();
      while (!hasOtherRun.get()) {
        StopSignal.poll();
      }
      return true;
    }
  }
}
