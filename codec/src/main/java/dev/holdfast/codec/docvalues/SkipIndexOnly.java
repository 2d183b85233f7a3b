package dev.holdfast.codec.docvalues;

import dev.holdfast.world.Promise;
import java.io.IOException;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.EmptyDocValuesProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;

/// A column that shows its values to the first reader only, and is empty to later ones: Lucene's
/// writer reads it once for the skip index, then for the values, which are stored by us instead.
final class SkipIndexOnly extends EmptyDocValuesProducer {
  private final DocValuesProducer values;
  private int readers;

  SkipIndexOnly(DocValuesProducer values) {
    this.values = values;
  }

  @Override
  public NumericDocValues getNumeric(FieldInfo field) throws IOException {
    return readers++ == 0 ? values.getNumeric(field) : DocValues.emptyNumeric();
  }

  @Override
  public SortedNumericDocValues getSortedNumeric(FieldInfo field) throws IOException {
    return readers++ == 0
        ? values.getSortedNumeric(field)
        : DocValues.singleton(DocValues.emptyNumeric());
  }

  /// Lucene must have read the skip index and found no values to store.
  void verify(FieldInfo field) {
    Promise.keep(readers >= 2, "skip index read before values", "field", field.name);
  }
}
