package dev.holdfast.document.field.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.search.Query;

/// `_source`: stored, never searched.
record SourceMetadata() implements MetadataField {
  @Override
  public String typeName() {
    return MetadataFields.SOURCE;
  }

  @Override
  public boolean isSearchable() {
    return false;
  }

  private static Refusal notSearchable() {
    return QueryFaults.noQuery("The _source field is not searchable");
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    throw notSearchable();
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    throw notSearchable();
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    throw notSearchable();
  }

  @Override
  public Query existsQuery(String field) {
    throw notSearchable();
  }
}
