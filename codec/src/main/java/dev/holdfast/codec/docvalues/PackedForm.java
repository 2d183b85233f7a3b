package dev.holdfast.codec.docvalues;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.util.LongsRef;

/// What is packed of the values of a block, so that most of it are small numbers.
///
/// The values that come in and go out are what a value lies above the least of its block, in units
/// of the column's divisor: unsigned.
abstract sealed class PackedForm {
  static final byte OFFSETS = 0;
  static final byte DIFFERENCES = 1;
  static final byte WORDS = 2;

  /// Said where a form cannot hold a block.
  private static final int IMPOSSIBLE = Integer.MAX_VALUE;

  final PackedBits bits = new PackedBits();

  abstract byte code();

  /// Looks at a block.
  ///
  /// @return how many bytes it would take
  abstract int prepare(long[] values, int count);

  /// Writes the block that was looked at last.
  abstract void write(DataOutput out, int count) throws IOException;

  /// The values themselves.
  static final class Offsets extends PackedForm {
    private long[] packed = LongsRef.EMPTY_LONGS;

    @Override
    byte code() {
      return OFFSETS;
    }

    @Override
    int prepare(long[] values, int count) {
      packed = values;
      return bits.choose(values, count);
    }

    @Override
    void write(DataOutput out, int count) throws IOException {
      bits.write(out, packed, count);
    }
  }

  /// The step from the value before, for columns that mostly rise, or mostly fall: how much more it
  /// is than the least usual one.
  static final class Differences extends PackedForm {
    private static final int HEAD_BYTES = 10;

    private final long[] packed = new long[HoldfastDocValuesFormat.BLOCK_SIZE];
    private final PackedBits fromNothing = new PackedBits();
    private boolean falls;
    private long base;
    private long first;

    @Override
    byte code() {
      return DIFFERENCES;
    }

    @Override
    int prepare(long[] values, int count) {
      int falling = 0;
      for (int i = 1; i < count; i++) {
        falling += values[i] < values[i - 1] ? 1 : values[i] == values[i - 1] ? 0 : -1;
      }
      falls = falling > 0;
      first = values[0];
      packed[0] = 0;
      long least = Long.MAX_VALUE;
      for (int i = 1; i < count; i++) {
        packed[i] = falls ? values[i - 1] - values[i] : values[i] - values[i - 1];
        least = Math.min(least, packed[i]);
      }
      base = 0;
      int bytes = fromNothing.choose(packed, count);
      if (count > 1 && least > 0) {
        base = least;
        packed[0] = least;
        for (int i = 0; i < count; i++) {
          packed[i] -= least;
        }
        bytes = bits.choose(packed, count);
      } else {
        bits.take(fromNothing);
      }
      return bytes + HEAD_BYTES;
    }

    @Override
    void write(DataOutput out, int count) throws IOException {
      out.writeByte((byte) (falls ? 1 : 0));
      out.writeZLong(first);
      out.writeVLong(base);
      bits.write(out, packed, count);
    }

    static void read(DataInput in, long[] values, int count, PackedBits bits) throws IOException {
      byte direction = in.readByte();
      if (direction != 0 && direction != 1) {
        throw new CorruptIndexException("unknown direction of a block: " + direction, in);
      }
      boolean falls = direction == 1;
      long value = in.readZLong();
      long base = in.readVLong();
      bits.read(in, values, count);
      values[0] = value;
      if (falls) {
        for (int i = 1; i < count; i++) {
          value -= values[i] + base;
          values[i] = value;
        }
      } else {
        for (int i = 1; i < count; i++) {
          value += values[i] + base;
          values[i] = value;
        }
      }
    }
  }

  /// Which of a few values it is, the most frequent first.
  static final class Words extends PackedForm {
    private static final int WORDS_MAX = 64;

    private final long[] packed = new long[HoldfastDocValuesFormat.BLOCK_SIZE];
    private final long[] words = new long[WORDS_MAX];
    private final int[] counts = new int[WORDS_MAX];
    private int size;

    @Override
    byte code() {
      return WORDS;
    }

    @Override
    int prepare(long[] values, int count) {
      size = 0;
      for (int i = 0; i < count; i++) {
        int word = word(values[i]);
        if (word < 0) {
          return IMPOSSIBLE;
        }
        counts[word]++;
        packed[i] = word;
      }
      rank(count);
      int bytes = 1 + bits.choose(packed, count);
      for (int i = 0; i < size; i++) {
        bytes += bytes(words[i]);
      }
      return bytes;
    }

    /// As many as it takes, signed, in sevens of bits.
    private static int bytes(long word) {
      long signed = (word >> 63) ^ (word << 1);
      return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(signed) + 6) / 7);
    }

    /// The number of a value; -1 where there are too many.
    private int word(long value) {
      for (int i = 0; i < size; i++) {
        if (words[i] == value) {
          return i;
        }
      }
      if (size == WORDS_MAX) {
        return -1;
      }
      words[size] = value;
      counts[size] = 0;
      return size++;
    }

    private void rank(int count) {
      long[] order = new long[size];
      for (int i = 0; i < size; i++) {
        order[i] = ((long) (count - counts[i]) << 32) | i;
      }
      Arrays.sort(order);
      long[] before = Arrays.copyOf(words, size);
      int[] ranks = new int[size];
      for (int rank = 0; rank < size; rank++) {
        int word = (int) order[rank];
        ranks[word] = rank;
        words[rank] = before[word];
      }
      for (int i = 0; i < count; i++) {
        packed[i] = ranks[(int) packed[i]];
      }
    }

    @Override
    void write(DataOutput out, int count) throws IOException {
      out.writeByte((byte) size);
      for (int i = 0; i < size; i++) {
        out.writeZLong(words[i]);
      }
      bits.write(out, packed, count);
    }

    static void read(DataInput in, long[] values, int count, PackedBits bits) throws IOException {
      int size = in.readByte();
      if (size < 1 || size > WORDS_MAX) {
        throw new CorruptIndexException("damaged block of words [words=" + size + "]", in);
      }
      long[] words = new long[size];
      for (int i = 0; i < size; i++) {
        words[i] = in.readZLong();
      }
      bits.read(in, values, count);
      for (int i = 0; i < count; i++) {
        long word = values[i];
        if (word < 0 || word >= size) {
          throw new CorruptIndexException(
              "damaged block of words [words=" + size + ", word=" + word + "]", in);
        }
        values[i] = words[(int) word];
      }
    }
  }
}
