package dev.holdfast.document.field.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.column.LongRows;
import dev.holdfast.document.column.LongsColumn;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.number.NumberFormat;
import dev.holdfast.document.field.number.NumberKinds;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.document.column.LongColumn.NumericKind;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `_doc_count`: as how many documents buckets count one that stands for several. The only metadata
/// field that documents give a value; nothing but buckets and `fields` reads it.
record CountMetadata() implements MetadataField {
  private static final FieldType NUMBER = ColumnTypes.number();

  @Override
  public String typeName() {
    return MetadataFields.DOC_COUNT;
  }

  @Override
  public boolean isSearchable() {
    return false;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      throw QueryFaults.noFormat(typeName(), typeName());
    }
    return new NumberFormat(NumberKinds.INTEGER, null);
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new Counts(field);
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    throw QueryFaults.notSearchable(field);
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    throw QueryFaults.notSearchable(field);
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    throw QueryFaults.notSearchable(field);
  }

  @Override
  public Query existsQuery(String field) {
    throw new Refusal(
        ErrorType.QUERY_SHARD,
        "Field [_doc_count] of type [_doc_count] does not support exists queries");
  }

  private static final class Counts implements FieldColumns {
    private final String field;
    private final LongRows longs = new LongRows();

    Counts(String field) {
      this.field = field;
    }

    @Override
    public boolean add(int row, JsonValue value) {
      if (value.kind() != JsonValue.Kind.NUMBER) {
        throw noNumber(
            switch (value.kind()) {
              case STRING -> "VALUE_STRING";
              case TRUE, FALSE -> "VALUE_BOOLEAN";
              case OBJECT -> "START_OBJECT";
              case ARRAY -> "START_ARRAY";
              case NUMBER -> "VALUE_NUMBER";
            });
      }
      if (longs.count() > 0 && longs.row(longs.count() - 1) == row) {
        throw Refusal.badArgument("Arrays are not allowed for field [_doc_count].");
      }
      long count = NumberKinds.INTEGER.read(value, false);
      if (count <= 0) {
        throw Refusal.badArgument(
            "Field [_doc_count] must be a positive integer. Value [" + count + "] is not allowed.");
      }
      longs.add(row, count);
      return true;
    }

    @Override
    public boolean addNull(int row) {
      throw new Refusal(
          ErrorType.DOCUMENT_PARSING,
          "failed to parse field [_doc_count] of type [_doc_count]. Preview of field's value: 'null'",
          noNumber("VALUE_NULL"));
    }

    private static Refusal noNumber(String found) {
      return new Refusal(
          ErrorType.PARSING,
          "Failed to parse object: expecting token of type [VALUE_NUMBER] but found ["
              + found
              + "]");
    }

    @Override
    public void truncate(int row) {
      longs.truncate(row);
    }

    @Override
    public void finish(int rows, Consumer<Column> columns) {
      if (longs.count() > 0) {
        columns.accept(new LongsColumn(field, NUMBER, NumericKind.LONG, longs, rows));
      }
    }

    @Override
    public void clear() {
      longs.clear();
    }
  }
}
