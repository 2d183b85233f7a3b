package dev.holdfast.document.field.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `alias`: another name of a field. The mapping answers with the field itself, so nothing but the
/// mapping ever asks this type.
public final class AliasType implements ParameterizedField {
  private final FieldParameters parameters;
  private final String target;

  public AliasType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    String path = parameters.string("path", Change.ALLOWED);
    parameters.done();
    if (path == null) {
      throw FieldParameters.mapperParsing(
          "The [path] property must be specified for field [" + parameters.field() + "].");
    }
    target = path;
  }

  public String target() {
    return target;
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new FieldColumns() {
      @Override
      public boolean add(int row, JsonValue value) {
        throw Refusal.badArgument("Cannot write to a field alias [" + field + "].");
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
  public boolean isSearchable() {
    return false;
  }

  @Override
  public ValuesKind values() {
    return ValuesKind.NONE;
  }

  private static IllegalStateException broken() {
    Promise.keep(false, "aliases are resolved by the mapping");
    return new IllegalStateException();
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    throw broken();
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    throw broken();
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    throw broken();
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    throw broken();
  }

  @Override
  public Query existsQuery(String field) {
    throw broken();
  }
}
