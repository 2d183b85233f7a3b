package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.RepeatedTerms;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.RamUsageEstimator;
import org.apache.lucene.util.packed.PackedLongValues;
import org.jspecify.annotations.Nullable;

/// The values of a runtime field in all documents of a segment, in memory, as doc values.
/// Immutable.
public final class RuntimeColumn {
  /// By document: how many values there are up to its last.
  private final PackedLongValues ends;

  /// Numbers, or ordinals of [#terms]; ascending in a document.
  private final PackedLongValues values;

  private final @Nullable Dictionary terms;

  /// Whether a document has a term more than once.
  private final boolean repeats;

  private final int documents;
  private final @Nullable FailedRows failed;

  /// The distinct terms of a column in order.
  static final class Dictionary {
    private final byte[] bytes;
    private final PackedLongValues starts;

    /// @param starts where each lies in `bytes`, and where the last ends
    Dictionary(byte[] bytes, PackedLongValues starts) {
      this.bytes = bytes;
      this.starts = starts;
    }

    int size() {
      return (int) starts.size() - 1;
    }

    void get(long ordinal, BytesRef view) {
      view.bytes = bytes;
      view.offset = (int) starts.get(ordinal);
      view.length = (int) starts.get(ordinal + 1) - view.offset;
    }
  }

  /// @param repeats whether a document has a term more than once
  /// @param documents that have a value
  /// @param failed documents whose values could not be made
  RuntimeColumn(
      PackedLongValues ends,
      PackedLongValues values,
      @Nullable Dictionary terms,
      boolean repeats,
      int documents,
      @Nullable FailedRows failed) {
    this.ends = ends;
    this.values = values;
    this.terms = terms;
    this.repeats = repeats;
    this.documents = documents;
    this.failed = failed;
  }

  /// The column of one document, of number 0.
  ///
  /// @param path of the field
  public static RuntimeColumn ofDocument(String path, FieldType type, byte[] source) {
    ColumnBuilder builder = new ColumnBuilder(path, type);
    builder.add(source);
    return builder.finish();
  }

  long bytes() {
    long bytes = ends.ramBytesUsed() + values.ramBytesUsed();
    bytes += failed == null ? 0 : failed.bytes();
    return terms == null
        ? bytes
        : bytes + RamUsageEstimator.sizeOf(terms.bytes) + terms.starts.ramBytesUsed();
  }

  /// For kinds whose values are numbers; else without values.
  public SortedNumericDocValues numbers() {
    Cursor cursor = new Cursor();
    return new SortedNumericDocValues() {
      @Override
      public long nextValue() {
        return values.get(cursor.at++);
      }

      @Override
      public int docValueCount() {
        return cursor.count();
      }

      @Override
      public boolean advanceExact(int target) {
        return cursor.moveTo(target);
      }

      @Override
      public int docID() {
        return cursor.doc;
      }

      @Override
      public int nextDoc() {
        return cursor.advance(cursor.doc + 1);
      }

      @Override
      public int advance(int target) {
        return cursor.advance(target);
      }

      @Override
      public long cost() {
        return documents;
      }
    };
  }

  /// For kinds whose values are terms: each once a document, as an index has them.
  public SortedSetDocValues terms() {
    return terms(false);
  }

  /// The same, as often as a document has each: equal ones follow each other.
  public SortedSetDocValues repeatedTerms() {
    return terms(true);
  }

  private SortedSetDocValues terms(boolean isRepeated) {
    Dictionary dictionary = terms;
    if (dictionary == null) {
      throw new IllegalStateException("a column of numbers has no terms");
    }
    if (failed != null && dictionary.size() == 0) {
      // Who sees that there are no terms asks for those of no document.
      throw failed.last();
    }
    return new Terms(dictionary, repeats && !isRepeated);
  }

  private final class Terms extends SortedSetDocValues implements RepeatedTerms {
    private final Dictionary dictionary;
    private final boolean skipsEqual;
    private final Cursor cursor = new Cursor();
    private final BytesRef view = new BytesRef();

    Terms(Dictionary dictionary, boolean skipsEqual) {
      this.dictionary = dictionary;
      this.skipsEqual = skipsEqual;
    }

    @Override
    public SortedSetDocValues repeated() {
      return repeatedTerms();
    }

    @Override
    public long nextOrd() {
      long ordinal = values.get(cursor.at++);
      while (skipsEqual && cursor.at < cursor.end && values.get(cursor.at) == ordinal) {
        cursor.at++;
      }
      return ordinal;
    }

    @Override
    public int docValueCount() {
      return skipsEqual ? cursor.distinct() : cursor.count();
    }

    @Override
    public BytesRef lookupOrd(long ordinal) {
      dictionary.get(ordinal, view);
      return view;
    }

    @Override
    public long getValueCount() {
      return dictionary.size();
    }

    @Override
    public boolean advanceExact(int target) {
      return cursor.moveTo(target);
    }

    @Override
    public int docID() {
      return cursor.doc;
    }

    @Override
    public int nextDoc() {
      return cursor.advance(cursor.doc + 1);
    }

    @Override
    public int advance(int target) {
      return cursor.advance(target);
    }

    @Override
    public long cost() {
      return documents;
    }
  }

  /// A document, and where its values lie.
  private final class Cursor {
    private int doc = -1;
    private long begin;
    private long at;
    private long end;

    int count() {
      if (failed != null) {
        failed.requireNot(doc);
      }
      return (int) (end - begin);
    }

    /// The same, equal ones once.
    int distinct() {
      int distinct = count();
      for (long i = begin + 1; i < end; i++) {
        distinct -= values.get(i) == values.get(i - 1) ? 1 : 0;
      }
      return distinct;
    }

    /// Goes to a document, whose values are asked for.
    boolean moveTo(int target) {
      if (failed != null) {
        failed.requireNot(target);
      }
      return stepTo(target);
    }

    private boolean stepTo(int target) {
      doc = target;
      begin = target == 0 ? 0 : ends.get(target - 1);
      end = ends.get(target);
      at = begin;
      return end > begin;
    }

    /// One whose values could not be made may have had some: who asks for them is told.
    int advance(int target) {
      for (int next = target; next < ends.size(); next++) {
        if (stepTo(next) || (failed != null && failed.has(next))) {
          return next;
        }
      }
      doc = DocIdSetIterator.NO_MORE_DOCS;
      return doc;
    }
  }
}
