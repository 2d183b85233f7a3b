package dev.holdfast.query.aggregation.bucket.composite;

import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.TermColumn;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// A source of a `composite` whose keys are terms. In a segment a term is its ordinal: terms of the
/// segment have odd words, and even ones stand for what lies between them.
final class CompositeTerms implements CompositeColumn {
  /// How many terms of a segment all sources of a request remember by ordinal, and the other way
  /// round.
  private static final int TERMS_KNOWN_MAX = 65_536;

  /// What a term that is remembered takes beside its bytes, in either map.
  private static final int TERM_BYTES = 120;

  private final CompositeSource source;
  private final BoundField field;
  private final CompositeBlock block = new CompositeBlock(1);

  /// Turns the order of terms around when it descends.
  private final long flip;

  private final long nullWord;
  private final int knownMax;
  private final Reservation memory;

  /// Bytes of terms that the request has been asked for; they serve segment after segment.
  private long asked;

  private long held;
  private @Nullable TermColumn column;
  private final Map<Long, BytesRef> terms = new HashMap<>();
  private final Map<BytesRef, Long> wordsOfTerms = new HashMap<>();

  /// @param sources how many sources the request has, who share what may be remembered
  CompositeTerms(CompositeSource source, BoundField field, int sources, Reservation memory) {
    this.source = source;
    this.field = field;
    this.knownMax = TERMS_KNOWN_MAX / sources;
    this.memory = memory;
    this.flip = source.isAscending() ? 0 : -1;
    this.nullWord = source.isNullFirst() ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  @Override
  public int width() {
    return 1;
  }

  @Override
  public void open(LeafReader reader) throws IOException {
    column = TermColumn.open(reader, field);
    terms.clear();
    wordsOfTerms.clear();
    held = 0;
  }

  @Override
  public CompositeBlock read(int[] docs, int from, int to) throws IOException {
    if (column != null) {
      column.read(docs, from, to);
    }
    return fill(to - from);
  }

  @Override
  public CompositeBlock readPairs(int[] docs, int count) throws IOException {
    if (column != null) {
      column.readPairs(docs, count);
    }
    return fill(count);
  }

  private CompositeBlock fill(int documents) {
    block.clear();
    int values = column == null ? 0 : column.count;
    if (column != null && values == documents && column.isSingle()) {
      long[] words = block.alignedWords(values);
      for (int i = 0; i < values; i++) {
        words[i] = (2 * column.values[i] + 1) ^ flip;
      }
      return block;
    }
    int next = 0;
    for (int document = 0; document < documents; document++) {
      int first = next;
      while (column != null && next < values && column.origins[next] == document) {
        block.add(0, (2 * column.values[next++] + 1) ^ flip);
      }
      if (next == first && source.hasMissing()) {
        block.add(0, nullWord);
      }
      block.next();
    }
    return block;
  }

  @Override
  public @Nullable Object key(long[] words, int at) throws IOException {
    if (words[at] == nullWord || column == null) {
      return null;
    }
    long ordinal = (words[at] ^ flip) >> 1;
    BytesRef term = terms.get(ordinal);
    if (term == null) {
      term = BytesRef.deepCopyOf(column.term(ordinal));
      if (terms.size() >= knownMax) {
        terms.clear();
      } else {
        hold(term);
      }
      terms.put(ordinal, term);
    }
    return term;
  }

  @Override
  public void words(@Nullable Object key, long[] words, int at) throws IOException {
    if (!(key instanceof BytesRef term)) {
      words[at] = nullWord;
      return;
    }
    Long known = wordsOfTerms.get(term);
    if (known == null) {
      long found = column == null ? -1 : column.find(term);
      known = (found >= 0 ? 2 * found + 1 : 2 * (-found - 1)) ^ flip;
      if (wordsOfTerms.size() >= knownMax) {
        wordsOfTerms.clear();
      } else {
        hold(term);
      }
      wordsOfTerms.put(term, known);
    }
    words[at] = known;
  }

  private void hold(BytesRef term) {
    held += TERM_BYTES + term.length;
    if (held > asked) {
      memory.add(held - asked);
      asked = held;
    }
  }

  @Override
  public int compareTied(@Nullable Object a, @Nullable Object b) {
    if (a instanceof BytesRef left && b instanceof BytesRef right) {
      int order = left.compareTo(right);
      return source.isAscending() ? order : -order;
    }
    return 0;
  }
}
