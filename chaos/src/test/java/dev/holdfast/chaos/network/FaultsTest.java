package dev.holdfast.chaos.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.chaos.network.PacketFaults.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private static final Fault LATE = new Fault(0, Duration.ofMillis(100));

  private final PacketFaults faults = new PacketFaults();

  @Test
  void oneWayLeavesTheOtherWayAlone() {
    faults.oneWay(11, 12, Fault.CUT);

    assertThat(faults.at(11, 12)).isEqualTo(Fault.CUT);
    assertThat(faults.at(12, 11)).isEqualTo(Fault.NONE);
    assertThat(faults.at(11, 13)).isEqualTo(Fault.NONE);
  }

  @Test
  void healedThereIsNoFault() {
    faults.bothWays(11, 2, LATE);
    assertThat(faults.at(2, 11)).isEqualTo(LATE);

    faults.heal();

    assertThat(faults.at(11, 2)).isEqualTo(Fault.NONE);
    assertThat(faults.at(2, 11)).isEqualTo(Fault.NONE);
  }

  @Test
  void lossIsAShare() {
    assertThatThrownBy(() -> new Fault(3, Duration.ZERO)).hasMessageContaining("loss=3.0");
    assertThatThrownBy(() -> new Fault(0, Duration.ofMillis(-1))).hasMessageContaining("delay");
  }
}
