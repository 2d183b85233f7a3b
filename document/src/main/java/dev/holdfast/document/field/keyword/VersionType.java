package dev.holdfast.document.field.keyword;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.TermText;
import dev.holdfast.document.scan.JsonValue;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// `version`: software versions, in the order of semantic versioning.
public final class VersionType implements ParameterizedField {
  private final FieldParameters parameters;

  public VersionType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    parameters.done();
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new FieldColumns() {
      private final BytesRows terms = new BytesRows();

      @Override
      public boolean add(int row, JsonValue value) {
        TermText.requireScalar(value);
        BytesRef term = Versions.encode(value.text());
        TermText.checkLength(field, term.bytes, term.offset, term.length);
        terms.add(row, term.bytes, term.offset, term.length);
        return true;
      }

      @Override
      public void truncate(int row) {
        terms.truncate(row);
      }

      @Override
      public void finish(int rows, Consumer<Column> columns) {
        if (terms.count() > 0) {
          columns.accept(
              new BytesColumn(
                  field, ColumnTypes.terms(IndexOptions.DOCS, true, false), terms, rows));
        }
      }

      @Override
      public void clear() {
        terms.clear();
      }
    };
  }

  @Override
  public boolean isSearchable() {
    return true;
  }

  @Override
  public boolean isRebuilt() {
    return true;
  }

  @Override
  public ValuesKind values() {
    return ValuesKind.KEYWORD;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      throw QueryFaults.noFormat(typeName(), parameters.field());
    }
    return VersionFormat.PLAIN;
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    return new TermQuery(new Term(field, Versions.encode(value.asText())));
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    return new TermInSetQuery(
        field, values.stream().map(value -> Versions.encode(value.asText())).toList());
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    return new TermRangeQuery(
        field,
        orNull(range.from()),
        orNull(range.to()),
        range.from() == null || range.isFromInclusive(),
        range.to() == null || range.isToInclusive());
  }

  private static @Nullable BytesRef orNull(@Nullable JsonNode value) {
    return value == null ? null : Versions.encode(value.asText());
  }

  @Override
  public Query existsQuery(String field) {
    return new FieldExistsQuery(field);
  }
}
