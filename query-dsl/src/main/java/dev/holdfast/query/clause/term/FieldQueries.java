package dev.holdfast.query.clause.term;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.util.List;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/// What several queries ask of a field, unmapped and virtual fields included.
public final class FieldQueries {
  private FieldQueries() {}

  /// Documents with exactly this value; none for an unmapped field.
  public static Query term(QueryContext context, String field, JsonNode value) {
    if (field.equals(MetadataFields.INDEX)) {
      return index(context, List.of(value));
    }
    FieldType type = context.type(field);
    if (type == null) {
      return unmapped(field);
    }
    checkSearchable(field, type);
    return type.termQuery(context.path(field), value, context.nowMillis());
  }

  /// Documents with any of these values; none for an unmapped field.
  static Query terms(QueryContext context, String field, List<JsonNode> values) {
    if (field.equals(MetadataFields.INDEX)) {
      return index(context, values);
    }
    FieldType type = context.type(field);
    if (type == null || values.isEmpty()) {
      return unmapped(field);
    }
    checkSearchable(field, type);
    return type.termsQuery(context.path(field), values, context.nowMillis());
  }

  public static Query unmapped(String field) {
    return new MatchNoDocsQuery("unmapped field [" + field + "]");
  }

  public static void checkSearchable(String field, FieldType type) {
    if (!type.isSearchable()) {
      throw Refusal.badArgument(
          "Cannot search on field [" + field + "] since it is not indexed nor has doc values.");
    }
  }

  /// Phrases need positions.
  public static void checkPositions(QueryContext context, String field) {
    checkPositions(context, field, "PhraseQuery");
  }

  /// @param kind of the query that needs positions
  public static void checkPositions(QueryContext context, String field, String kind) {
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      FieldInfo info = leaf.reader().getFieldInfos().fieldInfo(field);
      if (info != null
          && info.getIndexOptions() != IndexOptions.NONE
          && info.getIndexOptions().compareTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS) < 0) {
        throw Refusal.badArgument(
            "field:[" + field + "] was indexed without position data; cannot run " + kind);
      }
    }
  }

  /// A query by points where the field has them, and by doc values where that is cheaper or all
  /// there is.
  public static Query byPointsOrValues(
      QueryContext context, String field, Query points, Query values) {
    boolean hasPoints = false;
    boolean hasValues = false;
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      FieldInfo info = leaf.reader().getFieldInfos().fieldInfo(field);
      hasPoints |= info != null && info.getPointDimensionCount() > 0;
      hasValues |= info != null && info.getDocValuesType() != DocValuesType.NONE;
    }
    if (hasPoints && hasValues) {
      return new IndexOrDocValuesQuery(points, values);
    }
    return hasPoints ? points : values;
  }

  private static Query index(QueryContext context, List<JsonNode> names) {
    for (JsonNode name : names) {
      if (Wildcards.matches(name.asText(), context.index())) {
        return MatchAllDocsQuery.INSTANCE;
      }
    }
    return new MatchNoDocsQuery("not the index [" + context.index() + "]");
  }
}
