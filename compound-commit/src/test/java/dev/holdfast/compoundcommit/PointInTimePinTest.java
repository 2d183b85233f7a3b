package dev.holdfast.compoundcommit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class PointInTimePinTest {
  private static final ShardId SHARD = new ShardId(new IndexId("books", "u"), 3);
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
    assertThat(PointInTimePin.read("k", bytes)).isEqualTo(PIN);
    assertThat(PIN.isKeptBy(SHARD)).isTrue();
  }

  @Test
  void aFlippedByteIsRefused() {
    byte[] bytes = PIN.bytes();
    for (int i = 0; i < bytes.length; i++) {
      byte[] broken = bytes.clone();
      broken[i] ^= 0x10;
      assertThatThrownBy(() -> PointInTimePin.read("k", broken)).isInstanceOf(IOException.class);
    }
  }
}
