package dev.holdfast.codec.docvalues;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/// Numbers of so many bits that most of a block fit: of those that are larger the lower bits lie
/// among the others, and what is above them behind, with their places.
///
/// In bytes: the width; how many are larger (vInt), and if any how many bytes the rest of each
/// takes; the numbers, lowest bits first; the places of the larger ones (two bytes each); their
/// rests.
final class PackedBits {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// Numbers wider than this would not be within one read of eight bytes.
  private static final int WIDTH_MAX = 56;

  private static final int PLACE_BYTES = 2;

  private final int[] byLength = new int[Long.SIZE + 1];
  private byte[] bytes = new byte[HoldfastDocValuesFormat.BLOCK_SIZE * 2 + Long.BYTES];
  private int width;
  private int larger;
  private int restBytes;

  /// Chooses the width that takes the fewest bytes, which are returned.
  int choose(long[] numbers, int count) {
    Arrays.fill(byLength, 0);
    int longest = 0;
    for (int i = 0; i < count; i++) {
      int length = Long.SIZE - Long.numberOfLeadingZeros(numbers[i]);
      byLength[length]++;
      longest = Math.max(longest, length);
    }
    int fewest = Integer.MAX_VALUE;
    int above = 0;
    for (int candidate = longest; candidate >= 0; candidate--) {
      int rest = (longest - candidate + 7) / 8;
      int size = packedBytes(count, candidate) + above * (PLACE_BYTES + rest);
      boolean isPossible = candidate <= WIDTH_MAX || candidate == Long.SIZE;
      if (isPossible && size < fewest) {
        fewest = size;
        width = candidate;
        larger = above;
        restBytes = above == 0 ? 0 : rest;
      }
      above += byLength[candidate];
    }
    if (fewest > packedBytes(count, Long.SIZE)) {
      fewest = packedBytes(count, Long.SIZE);
      width = Long.SIZE;
      larger = 0;
      restBytes = 0;
    }
    return fewest + 2;
  }

  /// Takes over what another has chosen.
  void take(PackedBits other) {
    width = other.width;
    larger = other.larger;
    restBytes = other.restBytes;
  }

  private static int packedBytes(int count, int width) {
    return (count * width + 7) / 8;
  }

  /// Writes numbers for which a width was chosen.
  void write(DataOutput out, long[] numbers, int count) throws IOException {
    out.writeByte((byte) width);
    out.writeVInt(larger);
    if (larger > 0) {
      out.writeByte((byte) restBytes);
    }
    int size = packedBytes(count, width);
    reserve(size);
    Arrays.fill(bytes, 0, size + Long.BYTES, (byte) 0);
    long mask = mask();
    for (int i = 0; i < count && width > 0; i++) {
      int bit = i * width;
      int at = bit >>> 3;
      long word = (long) LONGS.get(bytes, at) | ((numbers[i] & mask) << (bit & 7));
      LONGS.set(bytes, at, word);
    }
    out.writeBytes(bytes, 0, size);
    if (larger > 0) {
      writeLarger(out, numbers, count, mask);
    }
  }

  private void writeLarger(DataOutput out, long[] numbers, int count, long mask)
      throws IOException {
    for (int i = 0; i < count; i++) {
      if ((numbers[i] & ~mask) != 0) {
        out.writeShort((short) i);
      }
    }
    for (int i = 0; i < count; i++) {
      if ((numbers[i] & ~mask) != 0) {
        long rest = numbers[i] >>> width;
        for (int b = 0; b < restBytes; b++) {
          out.writeByte((byte) (rest >>> (8 * b)));
        }
      }
    }
  }

  private long mask() {
    return width == Long.SIZE ? -1 : (1L << width) - 1;
  }

  private void reserve(int size) {
    if (bytes.length < size + Long.BYTES) {
      bytes = new byte[size + Long.BYTES];
    }
  }

  /// Reads what [#write] wrote.
  void read(DataInput in, long[] numbers, int count) throws IOException {
    width = in.readByte();
    larger = in.readVInt();
    restBytes = larger > 0 ? in.readByte() : 0;
    if (!isPossible(count)) {
      throw new CorruptIndexException(
          String.format(
              Locale.ROOT,
              "damaged block of numbers [count=%d, width=%d, larger=%d, bytes of each rest=%d]",
              count,
              width,
              larger,
              restBytes),
          in);
    }
    if (width == 0) {
      Arrays.fill(numbers, 0, count, 0);
    } else {
      int size = packedBytes(count, width);
      reserve(size);
      in.readBytes(bytes, 0, size);
      unpack(bytes, numbers, count, width, mask());
    }
    if (larger > 0) {
      readLarger(in, numbers, count);
    }
  }

  /// Whether [#choose] may have chosen so.
  private boolean isPossible(int count) {
    return (width == Long.SIZE || (width >= 0 && width <= WIDTH_MAX))
        && larger >= 0
        && larger <= count
        && restBytes >= (larger > 0 ? 1 : 0)
        && restBytes <= (Long.SIZE - width + 7) / 8;
  }

  private static void unpack(byte[] from, long[] numbers, int count, int width, long mask) {
    for (int i = 0, bit = 0; i < count; i++, bit += width) {
      numbers[i] = ((long) LONGS.get(from, bit >>> 3) >>> (bit & 7)) & mask;
    }
  }

  private void readLarger(DataInput in, long[] numbers, int count) throws IOException {
    int[] places = new int[larger];
    int before = -1;
    for (int i = 0; i < larger; i++) {
      int place = in.readShort();
      if (place <= before || place >= count) {
        throw new CorruptIndexException(
            String.format(
                Locale.ROOT,
                "damaged block of numbers [count=%d, place=%d, the one before=%d]",
                count,
                place,
                before),
            in);
      }
      places[i] = before = place;
    }
    for (int place : places) {
      long rest = 0;
      for (int b = 0; b < restBytes; b++) {
        rest |= (in.readByte() & 0xFFL) << (8 * b);
      }
      numbers[place] |= rest << width;
    }
  }
}
