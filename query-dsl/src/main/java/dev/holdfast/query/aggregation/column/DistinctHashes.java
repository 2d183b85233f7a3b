package dev.holdfast.query.aggregation.column;

import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// How many distinct 64-bit hashes were seen: the hashes themselves up to a threshold, so that the
/// count is exact, HyperLogLog registers beyond it. What it holds depends only on the set of
/// hashes, not on their order or how they were split.
public final class DistinctHashes {
  private static final int CAPACITY_MIN = 16;
  private static final int PRECISION_MIN = 4;
  private static final int PRECISION_MAX = 18;
  private static final int SLOT_BYTES = 4;
  private static final double LOAD = 0.75;

  private final int threshold;
  private final int precision;
  private long[] slots = new long[CAPACITY_MIN];
  private int size;
  private boolean hasZero;
  private byte @Nullable [] registers;

  public DistinctHashes(int threshold) {
    this.threshold = threshold;
    int bytes = (int) Math.ceil(threshold / LOAD) * SLOT_BYTES;
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(bytes);
    this.precision = Math.clamp(bits, PRECISION_MIN, PRECISION_MAX);
  }

  public void add(long hash) {
    byte[] estimated = registers;
    if (estimated != null) {
      register(estimated, hash);
    } else {
      addExact(hash);
    }
  }

  public void addAll(DistinctHashes other) {
    byte[] theirs = other.registers;
    if (theirs == null) {
      other.forEach(this::add);
      return;
    }
    byte[] ours = estimate();
    for (int i = 0; i < ours.length; i++) {
      ours[i] = (byte) Math.max(ours[i], theirs[i]);
    }
  }

  public long count() {
    byte[] estimated = registers;
    return estimated == null ? size + (hasZero ? 1 : 0) : Math.round(estimate(estimated));
  }

  public void write(WireOutput out) throws IOException {
    byte[] estimated = registers;
    if (estimated != null) {
      out.writeVInt(0);
      out.writeBytes(estimated, estimated.length);
      return;
    }
    int count = (int) count();
    out.writeVInt(count + 1);
    long[] sorted = new long[count];
    int[] next = {0};
    forEach(hash -> sorted[next[0]++] = hash);
    for (long hash : sorted) {
      out.writeLong(hash);
    }
  }

  public static DistinctHashes read(WireInput in, int threshold) throws IOException {
    DistinctHashes read = new DistinctHashes(threshold);
    int count = in.readVInt() - 1;
    if (count < 0) {
      byte[] registers = read.estimate();
      in.readBytes(registers, 0, registers.length);
    }
    for (int i = 0; i < count; i++) {
      read.add(in.readLong());
    }
    return read;
  }

  /// A hash of a doc value: every bit of it depends on every bit of the value.
  public static long hash(long value) {
    long mixed = (value ^ (value >>> 32)) * 0x4CD6944C5CC20B6DL;
    mixed = (mixed ^ (mixed >>> 29)) * 0xFC12C5B19D3259E9L;
    return mixed ^ (mixed >>> 32);
  }

  private interface Hashes {
    void accept(long hash);
  }

  private void forEach(Hashes hashes) {
    if (hasZero) {
      hashes.accept(0);
    }
    for (long slot : slots) {
      if (slot != 0) {
        hashes.accept(slot);
      }
    }
  }

  private void addExact(long hash) {
    if (hash == 0) {
      hasZero = true;
    } else if (insert(slots, hash)) {
      size++;
      if (size * 2 > slots.length) {
        long[] larger = new long[slots.length * 2];
        for (long slot : slots) {
          if (slot != 0) {
            insert(larger, slot);
          }
        }
        slots = larger;
      }
    }
    if (count() > threshold) {
      estimate();
    }
  }

  private static boolean insert(long[] slots, long hash) {
    int slot = (int) hash & (slots.length - 1);
    while (slots[slot] != 0) {
      if (slots[slot] == hash) {
        return false;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = hash;
    return true;
  }

  private byte[] estimate() {
    byte[] made = registers;
    if (made == null) {
      byte[] fresh = new byte[1 << precision];
      forEach(hash -> register(fresh, hash));
      registers = fresh;
      slots = new long[CAPACITY_MIN];
      size = 0;
      hasZero = false;
      return fresh;
    }
    return made;
  }

  private void register(byte[] registers, long hash) {
    int index = (int) (hash >>> (Long.SIZE - precision));
    int rank = Math.min(Long.numberOfLeadingZeros(hash << precision), Long.SIZE - precision) + 1;
    if (registers[index] < rank) {
      registers[index] = (byte) rank;
    }
  }

  /// The improved raw estimator of O. Ertl, "New cardinality estimation algorithms for HyperLogLog
  /// sketches" (2017): unbiased over the whole range, without tables.
  private double estimate(byte[] registers) {
    int width = Long.SIZE - precision;
    int[] histogram = new int[width + 2];
    for (byte register : registers) {
      histogram[register]++;
    }
    double size = registers.length;
    double z = size * tau(1 - histogram[width + 1] / size);
    for (int k = width; k >= 1; k--) {
      z = 0.5 * (z + histogram[k]);
    }
    z += size * sigma(histogram[0] / size);
    return size / (2 * Math.log(2)) * (size / z);
  }

  private static double sigma(double x) {
    if (x == 1) {
      return Double.POSITIVE_INFINITY;
    }
    double power = x;
    double factor = 1;
    double sum = x;
    for (double last = Double.NaN; last != sum; factor += factor) {
      power *= power;
      last = sum;
      sum += power * factor;
    }
    return sum;
  }

  private static double tau(double x) {
    if (x == 0 || x == 1) {
      return 0;
    }
    double root = x;
    double factor = 1;
    double sum = 1 - x;
    for (double last = Double.NaN; last != sum; ) {
      root = Math.sqrt(root);
      last = sum;
      factor *= 0.5;
      sum -= (1 - root) * (1 - root) * factor;
    }
    return sum / 3;
  }

  @Override
  public String toString() {
    return "DistinctHashes" + Arrays.asList(count(), threshold);
  }
}
