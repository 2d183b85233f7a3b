package dev.holdfast.compoundcommit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class PointInTimePinTest {
  private static final ShardId SHARD = new ShardId(new IndexId("books", "u"), 3);
  private static final String KEY = PointInTimePin.key("p1");
  private static final PointInTimePin PIN =
      new PointInTimePin(
          "p1",
          1_000,
          List.of(
              new PointInTimePin.Pinned(
                  SHARD, 2, 9, new TreeSet<>(List.of(new BlobId(2, 8), new BlobId(1, 4))), "{}")));

  @Test
  void bytesStayWhatTheyAre() throws IOException {
    byte[] bytes = PIN.bytes();

    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "48465054"
                + "00000001"
                + "eb945dd8"
                + "00000058"
                + "00027031"
                + "00000000000003e8"
                + "00000001"
                + "0005626f6f6b73"
                + "000175"
                + "00000003"
                + "0000000000000002"
                + "0000000000000009"
                + "00000002"
                + "0000000000000001"
                + "0000000000000004"
                + "0000000000000002"
                + "0000000000000008"
                + "00000002"
                + "7b7d");
    assertThat(PointInTimePin.read(KEY, bytes)).isEqualTo(PIN);
    assertThat(PIN.isKeptBy(SHARD)).isTrue();
  }

  @Test
  void aCopyOfAnotherIsRefused() {
    assertThatThrownBy(() -> PointInTimePin.read(PointInTimePin.key("p2"), PIN.bytes()))
        .isInstanceOf(CorruptObjectException.class)
        .hasMessageContaining("a copy of the point in time [p1]")
        .hasMessageContaining(PointInTimePin.key("p2"));
  }

  @Test
  void aFlippedByteIsRefused() {
    byte[] bytes = PIN.bytes();
    for (int i = 0; i < bytes.length; i++) {
      byte[] broken = bytes.clone();
      broken[i] ^= 0x10;
      assertThatThrownBy(() -> PointInTimePin.read(KEY, broken)).isInstanceOf(IOException.class);
    }
  }

  /// As of a program with a fault. Whoever deletes blobs keeps those that such a pin may hold, and
  /// would take any other failure for one of the store, and delete nothing at all.
  @Test
  void whatIsSealedAndMeansNothingIsDamage() {
    byte[] bytes = PIN.bytes();
    byte[] payload = Arrays.copyOfRange(bytes, ChecksummedBytes.HEADER_BYTES, bytes.length);
    byte[] tooMany = payload.clone();
    tooMany[12] = 0x7f; // commits
    byte[] negative = payload.clone();
    negative[payload.length - 6] = (byte) 0xff; // length of the filter

    for (byte[] broken :
        List.of(Arrays.copyOf(payload, payload.length / 2), tooMany, negative, new byte[0])) {
      byte[] sealed = ChecksummedBytes.seal("HFPT", 1, broken);
      assertThatThrownBy(() -> PointInTimePin.read(KEY, sealed))
          .isInstanceOf(CorruptObjectException.class)
          .hasMessageContaining("k");
    }
  }
}
