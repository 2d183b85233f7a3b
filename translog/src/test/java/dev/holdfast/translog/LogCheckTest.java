package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.NewerFormatException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/// Every byte of a translog file is checked.
final class LogCheckTest {
  private static final String KEY = LogFile.key("n", 0);

  private static byte[] file(boolean compresses) throws Exception {
    LogFile.Frame first = new LogFile.Frame(new ShardId(new IndexId("a", "uuid-a"), 0), 3);
    LogFile.Frame second = new LogFile.Frame(new ShardId(new IndexId("b", "uuid-b"), 1), 4);
    for (int i = 0; i < 4; i++) {
      byte[] source = ("{\"n\":" + i + "}").getBytes(StandardCharsets.UTF_8);
      first.add(
          new Operation.Index(
              i, 1, "id" + i, null, false, source, 0, source.length, Operation.Sent.ONCE));
      second.add(new Operation.Delete(i, 2, "id" + i, Operation.Sent.ONCE));
    }
    try (InputStream in =
        LogFile.write(KEY, List.of(first, second), compresses, 3, List.of(second.shard)).open()) {
      return in.readAllBytes();
    }
  }

  private static void anyFlipIsFound(byte[] file) {
    assertThatCode(() -> LogCheck.check(KEY, file)).doesNotThrowAnyException();
    for (int at = 0; at < file.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = file.clone();
        flipped[at] ^= (byte) (1 << bit);
        assertThatThrownBy(() -> LogCheck.check(KEY, flipped))
            .satisfies(e ->
                Assertions.assertThat(
                        e instanceof dev.holdfast.world.CorruptObjectException
                            || e instanceof NewerFormatException)
                    .isTrue())
            .hasMessageContaining(KEY);
      }
    }
  }

  @Test
  void anyFlippedBitOfAFileIsFound() throws Exception {
    anyFlipIsFound(file(true));
    anyFlipIsFound(file(false));
  }

  @Test
  void aCopyOfAnotherFileIsFound() throws Exception {
    byte[] file = file(false);

    assertThatThrownBy(() -> LogCheck.check(LogFile.key("n", 1), file))
        .isInstanceOf(dev.holdfast.world.CorruptObjectException.class)
        .hasMessageContaining("a copy of [" + KEY + "]")
        .hasMessageContaining(LogFile.key("n", 1));
  }

  @Test
  void anyFlippedBitOfAFenceIsFound() {
    anyFlipIsFound(LogFile.fence("node-b"));
  }
}
