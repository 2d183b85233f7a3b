package dev.holdfast.query.aggregation.bucket.composite;

import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// The first combinations of a `composite` past its `after` key: a heap of slots, the last
/// combination on top, and a hash of their words.
final class CompositeQueue {
  /// The slot of a combination that is not on the page.
  static final int REFUSED = -1;

  private static final int SLOTS_MIN = 16;

  /// What a slot takes: in the heap and the hash, and the objects of a key, which may hold a term
  /// each.
  private static final int SLOT_BYTES = 48;

  private static final int KEY_BYTES = 64;
  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

  private final CompositeColumn[] columns;
  private final int width;
  private final int slotsMax;
  private final @Nullable List<@Nullable Object> after;
  private final Reservation memory;
  private final long[] afterWords;

  /// Of slot `s`: words `[s * width, (s + 1) * width)`, and keys by column.
  private long[] words;

  private @Nullable Object[][] keys = new Object[SLOTS_MIN][];
  private int size;

  /// Slots; each comes no sooner than the two below it.
  private int[] heap = new int[SLOTS_MIN];

  /// Slots by hash of their words; -1 for none.
  private int[] table = new int[2 * SLOTS_MIN];

  /// Which segment the words are of.
  private int segment = -1;

  CompositeQueue(
      CompositeColumn[] columns,
      int slotsMax,
      @Nullable List<@Nullable Object> after,
      Reservation memory) {
    this.columns = columns;
    this.width = Arrays.stream(columns).mapToInt(CompositeColumn::width).sum();
    this.slotsMax = slotsMax;
    this.after = after;
    this.memory = memory;
    this.afterWords = new long[width];
    this.words = new long[SLOTS_MIN * width];
    Arrays.fill(table, -1);
  }

  /// Makes words of the open segment of all keys.
  void move(int to) throws IOException {
    if (segment == to) {
      return;
    }
    segment = to;
    if (after != null) {
      write(after.toArray(), afterWords, 0);
    }
    for (int slot = 0; slot < size; slot++) {
      write(keys[slot], words, slot * width);
    }
    rehash(table.length);
  }

  private void write(@Nullable Object[] key, long[] into, int at) throws IOException {
    int offset = at;
    for (int i = 0; i < columns.length; i++) {
      columns[i].words(key[i], into, offset);
      offset += columns[i].width();
    }
  }

  /// The least first word that a combination on the page may have.
  long firstMin() {
    return after == null ? Long.MIN_VALUE : afterWords[0];
  }

  /// The greatest first word that a combination on the page may have.
  long firstMax() {
    return size < slotsMax ? Long.MAX_VALUE : words[heap[0] * width];
  }

  /// Whether no combination that begins so can be on the page.
  ///
  /// @param prefix how many words of it there are
  boolean isOffPage(long[] key, int prefix) {
    return (size == slotsMax && compare(key, 0, words, heap[0] * width, prefix) > 0)
        || (after != null && compare(key, 0, afterWords, 0, prefix) < 0);
  }

  /// The slot of a combination, which it takes if it has none. A slot that is new, or that another
  /// combination had before, gives `fresh` something to do.
  int slot(long[] key, Fresh fresh) throws IOException {
    int known = find(key);
    if (known >= 0) {
      return known;
    }
    if (after != null && compare(key, 0, afterWords, 0) <= 0) {
      return REFUSED;
    }
    if (size == slotsMax) {
      int last = heap[0];
      if (compare(key, 0, words, last * width) > 0) {
        return REFUSED;
      }
      remove(last);
      put(last, key);
      siftDown(0);
      fresh.took(last);
      return last;
    }
    int slot = size;
    ensure();
    size++;
    put(slot, key);
    heap[slot] = slot;
    siftUp(slot);
    if (size * 2 > table.length) {
      rehash(table.length * 2);
    }
    fresh.took(slot);
    return slot;
  }

  /// Told of slots that begin anew.
  @FunctionalInterface
  interface Fresh {
    void took(int slot);
  }

  /// The slots in the order of the answer.
  int[] inOrder() {
    Integer[] slots = new Integer[size];
    Arrays.setAll(slots, slot -> slot);
    Arrays.sort(slots, this::compareSlots);
    return Arrays.stream(slots).mapToInt(slot -> slot).toArray();
  }

  List<@Nullable Object> key(int slot) {
    List<@Nullable Object> key = new ArrayList<>(columns.length);
    for (Object one : keys[slot]) {
      key.add(one);
    }
    return key;
  }

  private void put(int slot, long[] key) throws IOException {
    System.arraycopy(key, 0, words, slot * width, width);
    @Nullable Object[] objects = new Object[columns.length];
    int offset = 0;
    for (int i = 0; i < columns.length; i++) {
      objects[i] = columns[i].key(key, offset);
      offset += columns[i].width();
    }
    keys[slot] = objects;
    insert(slot);
  }

  private void ensure() {
    if (size == keys.length) {
      int length = ArrayUtil.oversize(size + 1, Long.BYTES);
      memory.grow(size, length, SLOT_BYTES + width * Long.BYTES + columns.length * KEY_BYTES);
      keys = ArrayUtil.growExact(keys, length);
      heap = ArrayUtil.growExact(heap, keys.length);
      words = ArrayUtil.growExact(words, keys.length * width);
    }
  }

  private static int compare(long[] a, int from, long[] b, int to, int count) {
    for (int i = 0; i < count; i++) {
      if (a[from + i] != b[to + i]) {
        return a[from + i] < b[to + i] ? -1 : 1;
      }
    }
    return 0;
  }

  private int compare(long[] a, int from, long[] b, int to) {
    return compare(a, from, b, to, width);
  }

  private int compareSlots(int a, int b) {
    int from = a * width;
    int to = b * width;
    for (int i = 0; i < columns.length; i++) {
      int each = columns[i].width();
      int order = compare(words, from, words, to, each);
      if (order == 0) {
        order = columns[i].compareTied(keys[a][i], keys[b][i]);
      }
      if (order != 0) {
        return order;
      }
      from += each;
      to += each;
    }
    return 0;
  }

  private void siftUp(int at) {
    int index = at;
    int slot = heap[index];
    while (index > 0) {
      int parent = (index - 1) >>> 1;
      if (compareSlots(slot, heap[parent]) <= 0) {
        break;
      }
      heap[index] = heap[parent];
      index = parent;
    }
    heap[index] = slot;
  }

  private void siftDown(int at) {
    int index = at;
    int slot = heap[index];
    while (true) {
      int child = 2 * index + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && compareSlots(heap[child + 1], heap[child]) > 0) {
        child++;
      }
      if (compareSlots(slot, heap[child]) >= 0) {
        break;
      }
      heap[index] = heap[child];
      index = child;
    }
    heap[index] = slot;
  }

  private int home(long[] of, int at) {
    long hash = 0;
    for (int i = 0; i < width; i++) {
      hash = (hash + of[at + i]) * HASH_FACTOR;
      hash ^= hash >>> 32;
    }
    return (int) hash & (table.length - 1);
  }

  private int find(long[] key) {
    int mask = table.length - 1;
    int at = home(key, 0);
    for (int slot = table[at]; slot >= 0; slot = table[at]) {
      if (compare(key, 0, words, slot * width) == 0) {
        return slot;
      }
      at = (at + 1) & mask;
    }
    return -1;
  }

  private void insert(int slot) {
    int at = home(words, slot * width);
    while (table[at] >= 0) {
      at = (at + 1) & (table.length - 1);
    }
    table[at] = slot;
  }

  /// Takes a slot out and moves what follows it to where it is looked for.
  private void remove(int slot) {
    int mask = table.length - 1;
    int hole = home(words, slot * width);
    while (table[hole] != slot) {
      hole = (hole + 1) & mask;
    }
    for (int at = (hole + 1) & mask; table[at] >= 0; at = (at + 1) & mask) {
      int home = home(words, table[at] * width);
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        table[hole] = table[at];
        hole = at;
      }
    }
    table[hole] = -1;
  }

  private void rehash(int length) {
    table = new int[length];
    Arrays.fill(table, -1);
    for (int slot = 0; slot < size; slot++) {
      insert(slot);
    }
  }
}
