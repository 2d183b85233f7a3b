package dev.holdfast.indexing.write;

import dev.holdfast.document.DocumentSource;

/// How much memory a large document takes while it is written, told from its JSON in one pass
/// without any tree: by its length, the different words of its texts, and its values.
final class DocumentMemory {
  /// Its bytes at once: kept for gets, in the log's file, as columns, among Lucene's stored fields.
  private static final int COPIES = 4;

  /// Memory for each different word, beside itself: its postings and their arrays, which are there
  /// twice while they grow.
  private static final int WORD_BYTES = 100;

  /// Memory for each of its values, of which two bytes (`1,`) can make one: they lie in arrays that
  /// double, here and in Lucene.
  private static final int VALUE_BYTES = 48;

  private long values;
  private final Distinct words;

  /// What analysers may make one word of that keep punctuation.
  private final Distinct tokens;

  private DocumentMemory(int length) {
    words = new Distinct(length);
    tokens = new Distinct(length);
  }

  /// In bytes, about.
  static long of(DocumentSource source) {
    DocumentMemory memory = new DocumentMemory(source.length());
    memory.read(source.bytes(), source.offset(), source.offset() + source.length());
    return (long) source.length() * COPIES
        + Math.max(memory.words.count(), memory.tokens.count()) * WORD_BYTES
        + memory.values * VALUE_BYTES;
  }

  private void read(byte[] bytes, int from, int to) {
    boolean isText = false;
    for (int i = from; i < to; i++) {
      byte at = bytes[i];
      if (!isText) {
        values += at == ',' ? 1 : 0;
        isText = at == '"';
      } else if (at == '"' || at == '\\' || at == ' ') {
        words.end();
        tokens.end();
        isText = at != '"';
        i += at == '\\' ? 1 : 0; // what is escaped parts words, too
      } else {
        tokens.add(at);
        if (isOfWord(at)) {
          words.add(at);
        } else {
          words.end();
        }
      }
    }
  }

  private static boolean isOfWord(byte at) {
    return at < 0
        || (at >= '0' && at <= '9')
        || (at >= 'A' && at <= 'Z')
        || (at >= 'a' && at <= 'z');
  }

  /// Counts different words by the bits that their hashes set (linear counting).
  private static final class Distinct {
    private static final int BITS_MAX = 1 << 22;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final long[] seen;
    private final int shift;
    private long all;
    private long hash;

    /// @param length of the text: a word and what parts it from the next take two bytes
    Distinct(int length) {
      int bits = Math.clamp(Integer.highestOneBit(Math.max(1, length / 2)), 1 << 10, BITS_MAX);
      seen = new long[bits / Long.SIZE];
      shift = Long.SIZE - Integer.numberOfTrailingZeros(bits);
    }

    void add(byte at) {
      hash = (hash + at + 129) * MIX;
    }

    void end() {
      if (hash != 0) {
        all++;
        int bit = (int) (hash >>> shift);
        seen[bit / Long.SIZE] |= 1L << bit;
        hash = 0;
      }
    }

    long count() {
      long set = 0;
      for (long word : seen) {
        set += Long.bitCount(word);
      }
      double bits = (double) seen.length * Long.SIZE;
      double free = bits - set;
      return free == 0 ? all : Math.min(all, Math.round(-bits * Math.log(free / bits)));
    }
  }
}
