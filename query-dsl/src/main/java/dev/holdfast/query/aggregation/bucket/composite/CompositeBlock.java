package dev.holdfast.query.aggregation.bucket.composite;

import dev.holdfast.query.aggregation.kernel.Collecting;
import org.apache.lucene.util.ArrayUtil;

/// The keys that one source of a `composite` has in a block of documents, as words.
final class CompositeBlock {
  private final boolean hasFlags;

  /// The last word of each key, and the first of keys that have two.
  private long[] words = new long[Collecting.BLOCK];

  private long[] flags;

  /// Where the keys of each document begin; not filled when [#isAligned].
  private int[] starts = new int[Collecting.BLOCK + 1];

  private int documents;
  private int keys;
  private boolean isAligned;

  CompositeBlock(int width) {
    this.hasFlags = width == 2;
    this.flags = new long[hasFlags ? Collecting.BLOCK : 0];
  }

  /// Whether each document has one key, of its own index and of one word.
  boolean isAligned() {
    return isAligned;
  }

  /// The words of the keys; those of documents when [#isAligned].
  long[] words() {
    return words;
  }

  int start(int document) {
    return isAligned ? document : starts[document];
  }

  int end(int document) {
    return isAligned ? document + 1 : starts[document + 1];
  }

  /// Whether the keys of a document that has several come the last first.
  boolean isDescending(int document) {
    int start = start(document);
    int end = end(document);
    return end - start > 1 && !hasFlags && words[start] > words[end - 1];
  }

  /// Writes the words of a key.
  void copy(int key, long[] into, int at) {
    if (hasFlags) {
      into[at] = flags[key];
      into[at + 1] = words[key];
    } else {
      into[at] = words[key];
    }
  }

  /// Empties the block. What follows are the keys of documents, one after another, or
  /// [#alignedWords].
  void clear() {
    isAligned = false;
    documents = 0;
    keys = 0;
    starts[0] = 0;
  }

  /// Where to put the words of so many documents that have one key each.
  long[] alignedWords(int count) {
    isAligned = true;
    if (count > words.length) {
      words = ArrayUtil.grow(words, count);
    }
    return words;
  }

  /// Adds a key of the document at hand.
  void add(long flag, long word) {
    if (keys == words.length) {
      words = ArrayUtil.grow(words, keys + 1);
    }
    if (hasFlags) {
      if (keys >= flags.length) {
        flags = ArrayUtil.growExact(flags, words.length);
      }
      flags[keys] = flag;
    }
    words[keys++] = word;
  }

  /// Whether the document at hand has a key of that word.
  boolean has(long word) {
    for (int i = starts[documents]; i < keys; i++) {
      if (words[i] == word) {
        return true;
      }
    }
    return false;
  }

  /// Whether the document at hand has that word as its last.
  boolean endsWith(long word) {
    return keys > starts[documents] && words[keys - 1] == word;
  }

  /// The document at hand has no more keys.
  void next() {
    if (++documents == starts.length) {
      starts = ArrayUtil.grow(starts, documents + 1);
    }
    starts[documents] = keys;
  }

  /// Keeps the documents of these indices only, which ascend.
  void retain(int[] indices, int count) {
    if (isAligned) {
      for (int i = 0; i < count; i++) {
        words[i] = words[indices[i]];
      }
      return;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int end = starts[indices[i] + 1];
      int start = starts[indices[i]];
      starts[i] = kept;
      for (int key = start; key < end; key++) {
        words[kept] = words[key];
        if (hasFlags) {
          flags[kept] = flags[key];
        }
        kept++;
      }
    }
    starts[count] = kept;
    documents = count;
    keys = kept;
  }
}
