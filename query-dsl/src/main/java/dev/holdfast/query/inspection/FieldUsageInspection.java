package dev.holdfast.query.inspection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.TermValues;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Json;
import java.io.IOException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.suggest.document.CompletionTerms;
import org.apache.lucene.search.suggest.document.NRTSuggester;

/// What the field data of texts and the suggesters of completions take, by field, and how many
/// vectors there are: `{}` gives `{"fielddata": {field: bytes}, "completion": {field: bytes},
/// "dense_vectors": count, "sparse_vectors": count}`.
///
/// Field data are columns that are mapped, so what they take is estimated.
public final class FieldUsageInspection {
  public static final String NAME = "field_bytes";
  public static final String FIELD_DATA = "fielddata";
  public static final String COMPLETION = "completion";

  /// Those of which neighbors can be found.
  public static final String DENSE_VECTORS = "dense_vectors";

  public static final String SPARSE_VECTORS = "sparse_vectors";

  private static final long BYTES_A_TERM = 16;
  private static final long BYTES_A_DOCUMENT = 4;

  private FieldUsageInspection() {}

  static ObjectNode answer(QueryContext context, ObjectNode body) throws IOException {
    ObjectNode fieldData = Json.object();
    ObjectNode completion = Json.object();
    long dense = 0;
    long sparse = 0;
    for (MappedField field : context.mapping().fields()) {
      long columns = 0;
      long suggesters = 0;
      for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
        columns += hasFieldData(field.type()) ? columns(leaf.reader(), field.path()) : 0;
        dense += denseVectors(leaf.reader(), field);
        sparse += sparseVectors(leaf.reader(), field);
        suggesters += field.type().completion() == null ? 0 : suggester(leaf.reader(), field);
      }
      if (columns > 0) {
        fieldData.put(field.path(), columns);
      }
      if (suggesters > 0) {
        completion.put(field.path(), suggesters);
      }
    }
    ObjectNode answer = Json.object();
    answer.set(FIELD_DATA, fieldData);
    answer.set(COMPLETION, completion);
    return answer.put(DENSE_VECTORS, dense).put(SPARSE_VECTORS, sparse);
  }

  /// As Elasticsearch counts: those of deleted documents, too, until they are merged away.
  private static long denseVectors(LeafReader reader, MappedField field) throws IOException {
    FieldInfo info = reader.getFieldInfos().fieldInfo(field.path());
    if (field.type().vectors() == null || info == null || !info.hasVectorValues()) {
      return 0;
    }
    KnnVectorValues values =
        switch (info.getVectorEncoding()) {
          case FLOAT32 -> reader.getFloatVectorValues(field.path());
          case BYTE -> reader.getByteVectorValues(field.path());
        };
    return values == null ? 0 : values.size();
  }

  private static long sparseVectors(LeafReader reader, MappedField field) throws IOException {
    Terms terms =
        field.type().typeName().equals("sparse_vector") ? reader.terms(field.path()) : null;
    return terms == null ? 0 : terms.getDocCount();
  }

  private static boolean hasFieldData(FieldType type) {
    return type.isVirtual() && type.toJson().path(FIELD_DATA).asBoolean();
  }

  private static long columns(LeafReader reader, String path) throws IOException {
    SortedSetDocValues values = reader.getSortedSetDocValues(path + TermValues.FIELD_DATA);
    return values == null
        ? 0
        : BYTES_A_TERM * values.getValueCount() + BYTES_A_DOCUMENT * values.cost();
  }

  private static long suggester(LeafReader reader, MappedField field) throws IOException {
    Terms terms = reader.terms(field.path());
    NRTSuggester suggester = terms instanceof CompletionTerms own ? own.suggester() : null;
    return suggester == null ? 0 : suggester.ramBytesUsed();
  }
}
