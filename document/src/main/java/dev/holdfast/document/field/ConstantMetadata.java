package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.apache.lucene.search.Query;

/// `_index`: the same value for every document, compared when the query is made.
///
/// @param typeName also the field's name
record ConstantMetadata(String typeName, String value) implements Metadata {
  @Override
  public Query termQuery(String field, JsonNode wanted, long nowMillis) {
    return Constants.match(Constants.like(value, wanted.asText()));
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> wanted, long nowMillis) {
    return Constants.match(wanted.stream().anyMatch(w -> Constants.like(value, w.asText())));
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    return Constants.match(Constants.isIn(value, range));
  }

  @Override
  public Query existsQuery(String field) {
    return Constants.match(true);
  }
}
