package dev.holdfast.search.fielduse;

import dev.holdfast.search.fielduse.FieldUse.Structure;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.TermVectors;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.search.suggest.document.CompletionTerms;
import org.jspecify.annotations.Nullable;

/// A segment that notes which structures of its fields are read. Terms, points and vectors are left
/// when the search that goes through them has ended.
final class FieldUseSegment extends FilterLeafReader {
  FieldUseSegment(LeafReader in) {
    super(in);
  }

  @Override
  public CacheHelper getCoreCacheHelper() {
    return in.getCoreCacheHelper();
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  @Override
  public @Nullable Terms terms(String field) throws IOException {
    Terms terms = FieldUseReader.noted(in.terms(field), field, Structure.TERMS);
    // Suggesters ask whether they have those.
    return terms == null || terms instanceof CompletionTerms
        ? terms
        : new FieldUseTerms(terms, field);
  }

  @Override
  public StoredFields storedFields() throws IOException {
    return new FieldUseStoredFields(in.storedFields());
  }

  @Override
  public TermVectors termVectors() throws IOException {
    TermVectors vectors = in.termVectors();
    return new TermVectors() {
      @Override
      public void prefetch(int doc) throws IOException {
        vectors.prefetch(doc);
      }

      @Override
      public @Nullable Fields get(int doc) throws IOException {
        Fields fields = vectors.get(doc);
        return fields == null
            ? null
            : new FilterFields(fields) {
              @Override
              public @Nullable Terms terms(String field) throws IOException {
                return FieldUseReader.noted(in.terms(field), field, Structure.TERM_VECTORS);
              }
            };
      }
    };
  }

  @Override
  public @Nullable PointValues getPointValues(String field) throws IOException {
    PointValues points = FieldUseReader.noted(in.getPointValues(field), field, Structure.POINTS);
    return points == null ? null : new PolledPoints(points);
  }

  @Override
  public @Nullable NumericDocValues getNormValues(String field) throws IOException {
    return FieldUseReader.noted(in.getNormValues(field), field, Structure.NORMS);
  }

  @Override
  public @Nullable NumericDocValues getNumericDocValues(String field) throws IOException {
    return FieldUseReader.noted(in.getNumericDocValues(field), field, Structure.DOC_VALUES);
  }

  @Override
  public @Nullable BinaryDocValues getBinaryDocValues(String field) throws IOException {
    return FieldUseReader.noted(in.getBinaryDocValues(field), field, Structure.DOC_VALUES);
  }

  @Override
  public @Nullable SortedDocValues getSortedDocValues(String field) throws IOException {
    return FieldUseReader.noted(in.getSortedDocValues(field), field, Structure.DOC_VALUES);
  }

  @Override
  public @Nullable SortedNumericDocValues getSortedNumericDocValues(String field)
      throws IOException {
    return FieldUseReader.noted(in.getSortedNumericDocValues(field), field, Structure.DOC_VALUES);
  }

  @Override
  public @Nullable SortedSetDocValues getSortedSetDocValues(String field) throws IOException {
    return FieldUseReader.noted(in.getSortedSetDocValues(field), field, Structure.DOC_VALUES);
  }

  @Override
  public @Nullable DocValuesSkipper getDocValuesSkipper(String field) throws IOException {
    return FieldUseReader.noted(in.getDocValuesSkipper(field), field, Structure.DOC_VALUES);
  }

  @Override
  public @Nullable FloatVectorValues getFloatVectorValues(String field) throws IOException {
    return FieldUseReader.noted(in.getFloatVectorValues(field), field, Structure.KNN_VECTORS);
  }

  @Override
  public @Nullable ByteVectorValues getByteVectorValues(String field) throws IOException {
    return FieldUseReader.noted(in.getByteVectorValues(field), field, Structure.KNN_VECTORS);
  }

  @Override
  public void searchNearestVectors(
      String field, float[] target, KnnCollector collector, AcceptDocs accepted)
      throws IOException {
    FieldUse.mark(field, Structure.KNN_VECTORS);
    in.searchNearestVectors(field, target, polled(collector), accepted);
  }

  @Override
  public void searchNearestVectors(
      String field, byte[] target, KnnCollector collector, AcceptDocs accepted) throws IOException {
    FieldUse.mark(field, Structure.KNN_VECTORS);
    in.searchNearestVectors(field, target, polled(collector), accepted);
  }

  private static KnnCollector polled(KnnCollector collector) {
    return new KnnCollector.Decorator(collector) {
      @Override
      public void incVisitedCount(int count) {
        StopSignal.poll();
        super.incVisitedCount(count);
      }
    };
  }
}
