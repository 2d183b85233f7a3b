package dev.holdfast.codec.docvalues;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/// Columns that take few bits.
final class PackedColumnsTest {
  /// Columns of one value, of few, that rise, that fall, that jump, that are mostly small, and that
  /// are of every width.
  @Test
  void everyFormOfABlockComesBack() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int bits = 0; bits <= 64; bits++) {
      long mask = bits == 64 ? -1 : (1L << bits) - 1;
      for (int kind = 0; kind < 8; kind++) {
        long[] expected = new long[1 + random.nextInt(2100)];
        long[] few = random.longs(1 + random.nextInt(70)).map(one -> one & mask).toArray();
        long at = random.nextLong();
        for (int i = 0; i < expected.length; i++) {
          long any = random.nextLong() & mask;
          boolean isRare = random.nextInt(100) == 0;
          at +=
              switch (kind) {
                case 0, 1 -> any >>> 8;
                case 2 -> isRare ? -random.nextLong() : any >>> 8;
                default -> 0;
              };
          expected[i] =
              switch (kind) {
                case 0, 2 -> at;
                case 1 -> -at;
                case 3 -> few[random.nextInt(few.length)];
                case 4 -> isRare ? few[random.nextInt(few.length)] : few[0];
                case 5 -> isRare ? random.nextLong() : any;
                case 6 -> any * 1000;
                default -> any;
              };
        }
        assertThat(HoldfastDocValuesTest.stored(expected, true))
            .as("seed %s, %s, %s", seed, bits, kind)
            .isEqualTo(expected);
      }
    }
  }

  /// The time of logs that lie by host, and their status.
  @Test
  void aColumnIsAsSmallAsItsEntropyOrNearly() throws IOException {
    Random random = new Random(1);
    long[] times = new long[20_000];
    long[] status = new long[20_000];
    long at = 0;
    for (int i = 0; i < times.length; i++) {
      at = i % 2000 == 0 ? 1_700_000_000_000L : at - 1000L * (1 + random.nextInt(1000));
      times[i] = at;
      status[i] =
          random.nextInt(5) > 0 ? 200 : random.nextInt(10) > 0 ? 304 : 400 + random.nextInt(9);
    }
    assertThat(bytes(times, true)).isLessThan(times.length * 11 / 8);
    assertThat(bytes(status, true)).isLessThan(status.length * 2 / 8);
    assertThat(bytes(times, false)).isGreaterThan(2 * times.length);
  }

  /// Bytes of the column of a segment.
  private static long bytes(long[] values, boolean isCompact) throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      long _ = HoldfastDocValuesTest.stored(directory, values, isCompact).length;
      long bytes = 0;
      for (String file : directory.listAll()) {
        bytes += file.endsWith("hdd") ? directory.fileLength(file) : 0;
      }
      return bytes;
    }
  }
}
