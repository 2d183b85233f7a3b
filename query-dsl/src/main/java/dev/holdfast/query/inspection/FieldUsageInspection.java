package dev.holdfast.query.inspection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.TermValues;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Json;
import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.suggest.document.CompletionTerms;
import org.apache.lucene.search.suggest.document.NRTSuggester;

/// What the field data of texts and the suggesters of completions take, by field: `{}` gives
/// `{"fielddata": {field: bytes}, "completion": {field: bytes}}`.
///
/// Field data are columns that are mapped, so what they take is estimated.
public final class FieldUsageInspection {
  public static final String NAME = "field_bytes";
  public static final String FIELD_DATA = "fielddata";
  public static final String COMPLETION = "completion";

  private static final long BYTES_A_TERM = 16;
  private static final long BYTES_A_DOCUMENT = 4;

  private FieldUsageInspection() {}

  static ObjectNode answer(QueryContext context, ObjectNode body) throws IOException {
    ObjectNode fieldData = Json.object();
    ObjectNode completion = Json.object();
    for (MappedField field : context.mapping().fields()) {
      long columns = 0;
      long suggesters = 0;
      for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
        columns += hasFieldData(field.type()) ? columns(leaf.reader(), field.path()) : 0;
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
    return answer;
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
