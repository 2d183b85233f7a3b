package dev.holdfast.query.sort;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The nested objects that the values of a sort are taken from.
///
/// @param most how many objects of a document are looked at
record NestedChildren(BitSetProducer roots, BitSetProducer objects, int most) {

  /// The numbers of a document's objects, as if they were its own.
  SortedNumericDocValues numbers(LeafReaderContext leaf, SortedNumericDocValues values)
      throws IOException {
    return new NestedNumbers(block(leaf), values);
  }

  /// The terms of a document's objects, as if they were its own.
  SortedSetDocValues terms(LeafReaderContext leaf, SortedSetDocValues values) throws IOException {
    return new NestedTerms(block(leaf), values);
  }

  private Block block(LeafReaderContext leaf) throws IOException {
    return new Block(roots.getBitSet(leaf), objects.getBitSet(leaf), most);
  }

  /// Walks the objects of one document after the other.
  static final class Block {
    private final @Nullable BitSet roots;
    private final @Nullable BitSet objects;
    private final int most;
    private int root;
    private int at;
    private int seen;

    Block(@Nullable BitSet roots, @Nullable BitSet objects, int most) {
      this.roots = roots;
      this.objects = objects;
      this.most = most;
    }

    void open(int document) {
      int before = roots == null || document == 0 ? -1 : roots.prevSetBit(document - 1);
      root = document;
      at = before;
      seen = 0;
    }

    /// The next object; `NO_MORE_DOCS` after the last.
    int next() {
      if (objects == null || seen == most || at + 1 >= root) {
        return DocIdSetIterator.NO_MORE_DOCS;
      }
      at = objects.nextSetBit(at + 1);
      seen++;
      return at < root ? at : DocIdSetIterator.NO_MORE_DOCS;
    }
  }
}
