package dev.holdfast.document.field.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.ConstantQueries;
import dev.holdfast.document.field.QueryFaults;
import java.util.List;
import org.apache.lucene.search.Query;

/// `_index`: the same value for every document, compared when the query is made.
///
/// @param typeName also the field's name
record ConstantMetadata(String typeName, String value) implements MetadataField {
  @Override
  public boolean isConstant() {
    return true;
  }

  @Override
  public String constant() {
    return value;
  }

  @Override
  public Query termQuery(String field, JsonNode wanted, long nowMillis) {
    return ConstantQueries.match(ConstantQueries.like(value, wanted.asText()));
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> wanted, long nowMillis) {
    return ConstantQueries.match(
        wanted.stream().anyMatch(w -> ConstantQueries.like(value, w.asText())));
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    throw QueryFaults.noQuery(
        "Field [" + field + "] of type [" + field + "] does not support range queries");
  }

  @Override
  public Query existsQuery(String field) {
    return ConstantQueries.match(true);
  }
}
