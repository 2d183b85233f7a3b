package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.ScriptParameter;
import dev.holdfast.document.runtime.ScriptedExistsQuery;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// The type of a runtime field: that of a mapped field which has doc values and nothing else. What
/// Lucene calls its doc values, `RuntimeReader` tells from the source, or from what its script
/// makes.
public final class RuntimeType implements FieldType {
  /// Elasticsearch's names of the kinds.
  public static final Set<String> NAMES =
      Set.of("boolean", "date", "double", "geo_point", "ip", "keyword", "long");

  private static final Set<String> OF_ALL = Set.of("type", "meta");
  private static final Set<String> OF_DATES = Set.of("format", "locale");

  private final ObjectNode json;
  private final FieldType type;
  private final @Nullable ScriptedValues scripted;

  /// A field that documents have, or that its own `script` makes.
  ///
  /// @param name one of [#NAMES]
  /// @param mapping as given
  /// @throws Refusal `mapper_parsing_exception` for an unknown parameter, `script_exception` for a
  ///   script that does not compile
  public RuntimeType(String field, String name, ObjectNode mapping, FieldContext context) {
    this(field, name, mapping, context, null);
  }

  /// @param composite the script of the field around this one, or of a request; null when the
  ///   mapping has its own
  RuntimeType(
      String field,
      String name,
      ObjectNode given,
      FieldContext context,
      @Nullable ScriptedValues composite) {
    ObjectNode mapping = given.deepCopy();
    scripted = composite == null ? ScriptParameter.take(field, name, mapping) : composite;
    mapping
        .fieldNames()
        .forEachRemaining(parameter -> {
          if (!OF_ALL.contains(parameter)
              && !(name.equals("date") && OF_DATES.contains(parameter))) {
            throw new Refusal(
                ErrorType.MAPPER_PARSING,
                "unknown parameter ["
                    + parameter
                    + "] on runtime field ["
                    + field
                    + "] of type ["
                    + name
                    + "]");
          }
        });
    json = Json.object().put("type", name);
    json.setAll(mapping);
    type = FieldTypes.parse(field, name, withoutDefaults(name), context);
    if (scripted != null && composite == null) {
      ScriptParameter.show(scripted, json);
    }
  }

  /// The mapping of a field with doc values only, whatever the index's settings say of others.
  private ObjectNode withoutDefaults(String name) {
    if (name.equals("version")) {
      return json.deepCopy();
    }
    ObjectNode mapped = json.deepCopy().put("index", false).put("doc_values", true);
    if (name.equals("keyword")) {
      return mapped.put("ignore_above", Integer.MAX_VALUE);
    }
    mapped.put("ignore_malformed", false);
    return name.equals("long") || name.equals("double") ? mapped.put("coerce", true) : mapped;
  }

  @Override
  public boolean isRuntime() {
    return true;
  }

  @Override
  public @Nullable ScriptedValues scripted() {
    return scripted;
  }

  @Override
  public String typeName() {
    return type.typeName();
  }

  @Override
  public ObjectNode toJson() {
    return json.deepCopy();
  }

  /// The newer one: nothing is stored that could conflict with it.
  @Override
  public FieldType merge(String field, FieldType changed) {
    return changed;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return type.newColumns(field);
  }

  @Override
  public boolean readsObjects() {
    return type.readsObjects();
  }

  @Override
  public boolean readsArrays() {
    return type.readsArrays();
  }

  @Override
  public boolean isSearchable() {
    return true;
  }

  @Override
  public ValuesKind values() {
    return type.values();
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    return type.format(pattern, zone);
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    return type.values().isDate()
        ? SortedNumericDocValuesField.newSlowExactQuery(field, instant(value, nowMillis))
        : type.termQuery(field, value, nowMillis);
  }

  /// A date that leaves parts out is its first instant, where a mapped field takes all of them.
  private long instant(JsonNode value, long nowMillis) {
    return format(null, null).toDocValue(value, false, nowMillis);
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    if (type.values().isDate()) {
      long[] instants = values.stream().mapToLong(value -> instant(value, nowMillis)).toArray();
      return SortedNumericDocValuesField.newSlowSetQuery(field, instants);
    }
    return type.termsQuery(field, values, nowMillis);
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    return type.rangeQuery(field, range, nowMillis);
  }

  @Override
  public Query existsQuery(String field) {
    return scripted == null
        ? type.existsQuery(field)
        : new ScriptedExistsQuery(field, type.values().hasOrdinals());
  }
}
