package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// Small objects of any kind: every byte is checked.
final class SealedTest {
  private static final byte[] PAYLOAD = "what is sealed".getBytes(StandardCharsets.UTF_8);

  @Test
  void goldenBytesAreWrittenAndRead() throws Exception {
    byte[] data = "data".getBytes(StandardCharsets.UTF_8);
    assertThat(HexFormat.of().formatHex(ChecksummedBytes.seal("HFLE", 1, data)))
        .isEqualTo("48464c4500000001aed87dd10000000464617461");
    assertThat(HexFormat.of().formatHex(ChecksummedBytes.seal("HFLE", 2, data)))
        .isEqualTo("48464c4500000002fa0dc5030000000464617461");
  }

  @Test
  void anyFlippedBitIsRefusedAndNamesTheObject() {
    for (int version = 1; version <= 5; version++) {
      byte[] sealed = ChecksummedBytes.seal("TEST", version, PAYLOAD);
      for (int at = 0; at < sealed.length; at++) {
        for (int bit = 0; bit < 8; bit++) {
          byte[] flipped = sealed.clone();
          flipped[at] ^= (byte) (1 << bit);
          assertThatThrownBy(() -> ChecksummedBytes.open("TEST", 5, flipped, "the/key"))
              .as("version %s, byte %s, bit %s", version, at, bit)
              .isInstanceOf(CorruptObjectException.class)
              .hasMessageContaining("the/key");
          assertThatThrownBy(() -> ChecksummedBytes.check("TEST", flipped, "the/key"))
              .isInstanceOf(CorruptObjectException.class)
              .hasMessageContaining("the/key");
        }
      }
    }
  }

  /// Whoever may put it back where it is damaged lets it alone.
  @Test
  void whatANewerBuildSealedIsNoDamage() {
    byte[] sealed = ChecksummedBytes.seal("TEST", 6, PAYLOAD);
    assertThatThrownBy(() -> ChecksummedBytes.open("TEST", 5, sealed, "the/key"))
        .isInstanceOf(NewerFormatException.class);
  }

  @Test
  void anyMissingByteIsRefused() {
    byte[] sealed = ChecksummedBytes.seal("TEST", 2, PAYLOAD);
    for (int length = 0; length < sealed.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(sealed, length);
      assertThatThrownBy(() -> ChecksummedBytes.open("TEST", 2, cut, "key"))
          .isInstanceOf(CorruptObjectException.class);
    }
  }

  @Test
  void whatWasSealedIsOpened() throws Exception {
    for (int version = 1; version <= 3; version++) {
      byte[] sealed = ChecksummedBytes.seal("TEST", version, PAYLOAD);
      assertThat(ChecksummedBytes.open("TEST", 3, sealed, "key")).isEqualTo(PAYLOAD);
    }
  }
}
