package dev.holdfast.indexing.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.junit.jupiter.api.Test;

final class InFlightBytesTest {
  private final InFlightBytes bytes = new InFlightBytes(ByteSize.mib(16));

  /// Large writes take all there is, but for what small ones need.
  @Test
  void smallWritesAreRefusedLast() {
    InFlightBytes.Admission large = bytes.admit(15 << 20);

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> bytes.admit(2 << 20));
    assertThat(refusal.type()).isEqualTo(ErrorType.REJECTED_EXECUTION);
    assertThat(refusal.reason()).endsWith("max_coordinating_and_primary_bytes=16777216]");
    InFlightBytes.Admission rest = bytes.admit(1 << 20);
    InFlightBytes.Admission small = bytes.admit(1000);
    assertThat(bytes.bytes()).isEqualTo((16 << 20) + 1000);

    large.close();
    rest.close();
    small.close();
    assertThat(bytes.bytes()).isZero();
    assertThat(bytes.admitted()).isEqualTo((16 << 20) + 1000);
    assertThat(bytes.refused()).isEqualTo(1);
  }

  @Test
  void whoIsRefusedIsToldTheLimitAsItIsSet() {
    InFlightBytes.Admission _ = bytes.admit(16 << 20);
    for (int i = 0; i < 4; i++) {
      InFlightBytes.Admission _ = bytes.admit(256 << 10);
    }

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> bytes.admit(1000));

    assertThat(refusal.reason()).contains("max_coordinating_and_primary_bytes=" + (16 << 20) + "]");
  }
}
