package dev.holdfast.document.field.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;

/// `percolator`: a query, kept as the JSON that it came as, for `percolate` to run on documents.
public final class PercolatorType implements ParameterizedField {
  private final FieldParameters parameters;

  public PercolatorType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    parameters.done();
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public boolean readsObjects() {
    return true;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new PercolatorColumns(field);
  }

  @Override
  public boolean isSearchable() {
    return false;
  }

  @Override
  public ValuesKind values() {
    return ValuesKind.NONE;
  }

  private static Refusal onlyPercolate() {
    return QueryFaults.noQuery(
        "Percolator fields are not searchable directly, use a percolate query instead");
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    throw onlyPercolate();
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    throw onlyPercolate();
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    throw onlyPercolate();
  }

  @Override
  public Query existsQuery(String field) {
    return new FieldExistsQuery(field);
  }
}
