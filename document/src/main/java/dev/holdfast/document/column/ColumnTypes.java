package dev.holdfast.document.column;

import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexOptions;

/// Lucene field types as the columns need them; frozen.
public final class ColumnTypes {
  private ColumnTypes() {}

  /// Sorted numeric doc values and points of `pointBytes` bytes, either or both.
  ///
  /// @param skips whether ranges of documents can be skipped by their least and greatest value
  public static FieldType numbers(
      boolean hasDocValues, boolean hasPoints, int pointBytes, boolean skips) {
    FieldType type = new FieldType();
    if (hasDocValues) {
      type.setDocValuesType(DocValuesType.SORTED_NUMERIC);
      if (skips) {
        type.setDocValuesSkipIndexType(DocValuesSkipIndexType.RANGE);
      }
    }
    if (hasPoints) {
      type.setDimensions(1, pointBytes);
    }
    type.freeze();
    return type;
  }

  /// One number a document, doc values only.
  public static FieldType number() {
    FieldType type = new FieldType();
    type.setDocValuesType(DocValuesType.NUMERIC);
    type.freeze();
    return type;
  }

  /// Whole values as terms, without norms, and as sorted-set doc values, either or both.
  public static FieldType terms(IndexOptions options, boolean hasDocValues, boolean hasNorms) {
    FieldType type = new FieldType();
    type.setIndexOptions(options);
    type.setTokenized(false);
    type.setOmitNorms(!hasNorms);
    if (hasDocValues) {
      type.setDocValuesType(DocValuesType.SORTED_SET);
    }
    type.freeze();
    return type;
  }

  /// One term a document, and the same as its sorted doc value.
  public static FieldType singleTerms() {
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS);
    type.setTokenized(false);
    type.setOmitNorms(true);
    type.setDocValuesType(DocValuesType.SORTED);
    type.freeze();
    return type;
  }

  /// Terms whose frequency is a number of its own.
  public static FieldType features() {
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    type.setTokenized(true);
    type.setOmitNorms(true);
    type.freeze();
    return type;
  }

  /// One term a value, and stored.
  public static FieldType storedTerms() {
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS);
    type.setTokenized(false);
    type.setOmitNorms(true);
    type.setStored(true);
    type.freeze();
    return type;
  }

  /// Analysed text.
  public static FieldType text(IndexOptions options, boolean hasNorms) {
    FieldType type = new FieldType();
    type.setIndexOptions(options);
    type.setTokenized(true);
    type.setOmitNorms(!hasNorms);
    type.freeze();
    return type;
  }

  /// Analysed text with term vectors.
  ///
  /// @param vectors Elasticsearch's `term_vector`
  public static FieldType text(IndexOptions options, boolean hasNorms, String vectors) {
    if (vectors.equals("no") || options == IndexOptions.NONE) {
      return text(options, hasNorms);
    }
    FieldType type = new FieldType(text(options, hasNorms));
    type.setStoreTermVectors(true);
    boolean hasPayloads = vectors.endsWith("payloads");
    type.setStoreTermVectorPositions(vectors.contains("positions"));
    type.setStoreTermVectorOffsets(vectors.contains("offsets"));
    type.setStoreTermVectorPayloads(hasPayloads);
    type.freeze();
    return type;
  }

  /// Points whose dimensions have `bytes` bytes each, and sorted-set doc values of the same bytes.
  public static FieldType points(int dimensions, int bytes, boolean hasPoints, boolean hasSet) {
    FieldType type = new FieldType();
    if (hasPoints) {
      type.setDimensions(dimensions, bytes);
    }
    if (hasSet) {
      type.setDocValuesType(DocValuesType.SORTED_SET);
    }
    type.freeze();
    return type;
  }

  /// Bytes, one value a document, doc values only.
  public static FieldType binary() {
    FieldType type = new FieldType();
    type.setDocValuesType(DocValuesType.BINARY);
    type.freeze();
    return type;
  }
}
