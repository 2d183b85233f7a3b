package dev.holdfast.world.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Clock;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class BootTimeTest {
  @Test
  @EnabledOnOs(OS.LINUX)
  void itCountsFromTheStartOfTheMachine() throws Exception {
    double before = Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ")[0]);
    long nanos = RealWorld.create().throughSuspension().clock().nanoTime();
    double after = Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ")[0]);

    // uptime is in hundredths, rounded down
    assertThat(nanos / 1e9).isBetween(before, after + 0.02);
  }

  @Test
  void itGoesOnAsTheOtherClockDoes() {
    Clock boot = RealWorld.create().throughSuspension().clock();
    long first = boot.nanoTime();
    long second = boot.nanoTime();

    assertThat(second - first).isNotNegative();
    assertThat(boot.epochMillis()).isPositive();
  }
}
