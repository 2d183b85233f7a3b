package dev.holdfast.query.aggregation.kernel;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/// The distinct keys of one document.
public final class KeySet {
  private long[] keys = new long[8];
  private int size;

  public void clear() {
    size = 0;
  }

  public void add(long key) {
    keys = ArrayUtil.grow(keys, size + 1);
    keys[size++] = key;
  }

  /// In ascending order, each once.
  public void sort() {
    if (size < 2) {
      return;
    }
    Arrays.sort(keys, 0, size);
    int distinct = 1;
    for (int i = 1; i < size; i++) {
      if (keys[i] != keys[i - 1]) {
        keys[distinct++] = keys[i];
      }
    }
    size = distinct;
  }

  public int size() {
    return size;
  }

  public long get(int index) {
    return keys[index];
  }
}
