package dev.holdfast.query.aggregation.bucket.composite;

import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.jspecify.annotations.Nullable;

/// The keys of one source of a `composite`, as words: longs whose order, one after another, is the
/// order of the keys in the answer, whatever order was asked for and wherever null comes. Read a
/// block of documents at a time, forwards only.
sealed interface CompositeColumn permits CompositeNumbers, CompositeTerms {
  /// @param sources how many sources the request has
  /// @param memory of the request
  static CompositeColumn of(
      CompositeSource source,
      @Nullable BoundField field,
      boolean hasNull,
      int sources,
      Reservation memory) {
    return field != null && field.kind().hasOrdinals()
        ? new CompositeTerms(source, field, sources, memory)
        : new CompositeNumbers(source, field, hasNull);
  }

  /// Words a key: one, or two where null has no place among the values.
  int width();

  /// Begins a segment: words of the one before may mean something else from now on.
  void open(LeafReader reader) throws IOException;

  /// Reads the keys of documents that ascend.
  CompositeBlock read(int[] docs, int from, int to) throws IOException;

  /// Reads the keys of documents that ascend and may repeat.
  CompositeBlock readPairs(int[] docs, int count) throws IOException;

  /// The key of words of the open segment; null for the key null.
  @Nullable Object key(long[] words, int at) throws IOException;

  /// Writes the words of a key. A term that the open segment does not have lies between those that
  /// it has, together with all others that would.
  void words(@Nullable Object key, long[] words, int at) throws IOException;

  /// The order of two keys that have the same words.
  int compareTied(@Nullable Object a, @Nullable Object b);
}
