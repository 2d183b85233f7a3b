package dev.holdfast.query.aggregation.kernel;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/// Numbers from 0 for pairs (parent bucket, value), in order of first sight: an open-addressing
/// hash of longs.
public final class BucketOrdinals {
  private static final int CAPACITY_MIN = 64;

  private long[] parents = new long[CAPACITY_MIN];
  private long[] values = new long[CAPACITY_MIN];
  private int size;
  private int[] table = new int[2 * CAPACITY_MIN];
  private int mask = table.length - 1;
  private int[] byParent = new int[0];
  private int[] parentStarts = new int[0];

  public BucketOrdinals() {
    Arrays.fill(table, -1);
  }

  public int size() {
    return size;
  }

  public long value(int ordinal) {
    return values[ordinal];
  }

  public long parent(int ordinal) {
    return parents[ordinal];
  }

  /// The number of a pair, new or not.
  public int add(long parent, long value) {
    int slot = slot(parent, value);
    for (int ordinal = table[slot]; ordinal >= 0; ordinal = table[slot]) {
      if (values[ordinal] == value && parents[ordinal] == parent) {
        return ordinal;
      }
      slot = (slot + 1) & mask;
    }
    if (size == values.length) {
      values = ArrayUtil.grow(values, size + 1);
      parents = ArrayUtil.growExact(parents, values.length);
    }
    values[size] = value;
    parents[size] = parent;
    table[slot] = size++;
    if (size * 2 > table.length) {
      rehash();
    }
    return size - 1;
  }

  /// Numbers of the pairs of one parent, after the last [#add].
  public int[] ordinals(long parent) {
    if (byParent.length != size || parentStarts.length == 0) {
      index();
    }
    if (parent + 1 >= parentStarts.length) {
      return new int[0];
    }
    int bucket = (int) parent;
    return Arrays.copyOfRange(byParent, parentStarts[bucket], parentStarts[bucket + 1]);
  }

  private void index() {
    long parentMax = -1;
    for (int i = 0; i < size; i++) {
      parentMax = Math.max(parentMax, parents[i]);
    }
    int[] starts = new int[Math.toIntExact(parentMax + 2)];
    for (int i = 0; i < size; i++) {
      starts[(int) parents[i] + 1]++;
    }
    for (int i = 1; i < starts.length; i++) {
      starts[i] += starts[i - 1];
    }
    int[] next = starts.clone();
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      order[next[(int) parents[i]]++] = i;
    }
    byParent = order;
    parentStarts = starts;
  }

  private int slot(long parent, long value) {
    long hash = (value + parent * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    return (int) (hash ^ (hash >>> 32)) & mask;
  }

  private void rehash() {
    table = new int[table.length * 2];
    Arrays.fill(table, -1);
    mask = table.length - 1;
    for (int ordinal = 0; ordinal < size; ordinal++) {
      int slot = slot(parents[ordinal], values[ordinal]);
      while (table[slot] >= 0) {
        slot = (slot + 1) & mask;
      }
      table[slot] = ordinal;
    }
  }
}
