package dev.holdfast.document.field.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.TermText;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;

/// `_id`, `_routing`, `_ignored`, `_field_names`: UTF-8 terms.
///
/// @param typeName also the field's name
/// @param isInAll whether every document has it
record TermMetadata(String typeName, boolean isInAll) implements MetadataField {
  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    return new ConstantScoreQuery(new TermQuery(new Term(field, TermText.of(value))));
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    return new TermInSetQuery(field, values.stream().map(TermText::of).toList());
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    if (isInAll) {
      throw QueryFaults.noQuery(
          "Field [" + field + "] of type [" + field + "] does not support range queries");
    }
    return new TermRangeQuery(
        field,
        TermText.orNull(range.from()),
        TermText.orNull(range.to()),
        range.from() == null || range.isFromInclusive(),
        range.to() == null || range.isToInclusive());
  }

  @Override
  public Query existsQuery(String field) {
    return isInAll
        ? MatchAllDocsQuery.INSTANCE
        : new ConstantScoreQuery(new TermRangeQuery(field, null, null, true, true));
  }

  @Override
  public boolean hasTerms() {
    return true;
  }
}
