package dev.holdfast.document.scan;

import java.util.Arrays;

/// Names seen in the objects of one document, to tell duplicates: an open-addressing table of
/// (object, name) that is emptied by counting up an epoch. Allocates only to grow.
public final class NameSet {
  private static final int CAPACITY_START = 64;

  private long[] epochs = new long[CAPACITY_START];
  private long[] objects = new long[CAPACITY_START];
  private int[] hashes = new int[CAPACITY_START];
  private int[] offsets = new int[CAPACITY_START];
  private int[] lengths = new int[CAPACITY_START];
  private byte[] names = new byte[1024];
  private int namesLength;
  private int size;
  private long epoch = 1;

  /// Forgets all names.
  public void clear() {
    epoch++;
    size = 0;
    namesLength = 0;
  }

  /// Adds the name of `object` (any number unique to it in this document); false when it is there
  /// already.
  public boolean add(long object, byte[] bytes, int offset, int length) {
    int hash = Hashes.of(bytes, offset, length) * 31 + Long.hashCode(object);
    int mask = epochs.length - 1;
    int slot = hash & mask;
    while (epochs[slot] == epoch) {
      if (hashes[slot] == hash
          && objects[slot] == object
          && Arrays.equals(
              names,
              offsets[slot],
              offsets[slot] + lengths[slot],
              bytes,
              offset,
              offset + length)) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    if (names.length - namesLength < length) {
      names = Arrays.copyOf(names, 2 * (namesLength + length));
    }
    System.arraycopy(bytes, offset, names, namesLength, length);
    epochs[slot] = epoch;
    objects[slot] = object;
    hashes[slot] = hash;
    offsets[slot] = namesLength;
    lengths[slot] = length;
    namesLength += length;
    if (++size * 2 > epochs.length) {
      grow();
    }
    return true;
  }

  private void grow() {
    long[] oldEpochs = epochs;
    long[] oldObjects = objects;
    int[] oldHashes = hashes;
    int[] oldOffsets = offsets;
    int[] oldLengths = lengths;
    int capacity = 2 * oldEpochs.length;
    epochs = new long[capacity];
    objects = new long[capacity];
    hashes = new int[capacity];
    offsets = new int[capacity];
    lengths = new int[capacity];
    for (int i = 0; i < oldEpochs.length; i++) {
      if (oldEpochs[i] == epoch) {
        int slot = oldHashes[i] & (capacity - 1);
        while (epochs[slot] == epoch) {
          slot = (slot + 1) & (capacity - 1);
        }
        epochs[slot] = epoch;
        objects[slot] = oldObjects[i];
        hashes[slot] = oldHashes[i];
        offsets[slot] = oldOffsets[i];
        lengths[slot] = oldLengths[i];
      }
    }
  }
}
