package dev.holdfast.document.field.keyword;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.ConstantQueries;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.KeywordFormat;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.TermText;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `constant_keyword`: one value for the whole index, held by the mapping; the first document sets
/// it when the mapping does not.
public final class ConstantKeywordType implements ParameterizedField {
  private final FieldParameters parameters;
  private final @Nullable String value;

  public ConstantKeywordType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    value = parameters.string("value", Change.FIXED);
    parameters.done();
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  /// A value may be set once; an update without one changes nothing.
  @Override
  public FieldType merge(String field, FieldType changed) {
    if (changed instanceof ConstantKeywordType constant) {
      if (constant.value == null) {
        return this;
      }
      if (value == null) {
        return changed;
      }
    }
    return ParameterizedField.super.merge(field, changed);
  }

  @Override
  public boolean learns() {
    return value == null;
  }

  @Override
  public @Nullable ObjectNode learn(JsonNode first) {
    return value != null || first.isContainerNode()
        ? null
        : Json.object().put("value", first.asText());
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new FieldColumns() {
      @Override
      public boolean add(int row, JsonValue given) {
        TermText.requireScalar(given);
        String text = given.text();
        if (!text.equals(value)) {
          throw Refusal.badArgument(
              "[constant_keyword] field ["
                  + field
                  + "] only accepts values that are equal to the value defined in the mappings ["
                  + value
                  + "], but got ["
                  + text
                  + "]");
        }
        return true;
      }

      @Override
      public void truncate(int row) {}

      @Override
      public void finish(int rows, Consumer<Column> columns) {}

      @Override
      public void clear() {}
    };
  }

  @Override
  public boolean isConstant() {
    return true;
  }

  @Override
  public @Nullable String constant() {
    return value;
  }

  @Override
  public boolean isSearchable() {
    return true;
  }

  @Override
  public ValuesKind values() {
    return ValuesKind.NONE;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      throw QueryFaults.noFormat(typeName(), parameters.field());
    }
    return KeywordFormat.PLAIN;
  }

  @Override
  public Query termQuery(String field, JsonNode wanted, long nowMillis) {
    return ConstantQueries.match(value != null && value.equals(wanted.asText()));
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> wanted, long nowMillis) {
    return ConstantQueries.match(wanted.stream().anyMatch(w -> w.asText().equals(value)));
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    return ConstantQueries.match(value != null && ConstantQueries.isIn(value, range));
  }

  @Override
  public Query existsQuery(String field) {
    return ConstantQueries.match(value != null);
  }
}
