package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `lookup`: a runtime field whose values are documents of another index, those whose
/// `target_field` has the value of this document's `input_field`. Only `fields` of hits show it.
public final class LookupType implements FieldType {
  /// Elasticsearch's name.
  public static final String NAME = "lookup";

  private static final String FETCH_FIELDS = "fetch_fields";

  private final String targetIndex;
  private final String inputField;
  private final String targetField;
  private final ArrayNode fetchFields;
  private final ObjectNode json;

  /// @param given the definition of the field
  /// @throws Refusal `illegal_argument_exception` or `mapper_parsing_exception`
  LookupType(String field, ObjectNode given) {
    ObjectNode rest = given.deepCopy();
    rest.remove("type");
    JsonNode meta = rest.remove("meta");
    targetIndex = text(rest, "target_index");
    inputField = text(rest, "input_field");
    targetField = text(rest, "target_field");
    fetchFields = fetched(rest.remove(FETCH_FIELDS));
    if (inputField.equals(field)) {
      throw Refusal.badArgument("lookup field [" + field + "] can't use input from itself");
    }
    if (!rest.isEmpty()) {
      throw new Refusal(
          ErrorType.MAPPER_PARSING,
          "unknown parameter ["
              + rest.fieldNames().next()
              + "] on runtime field ["
              + field
              + "] of type ["
              + NAME
              + "]");
    }
    json = Json.object().put("type", NAME);
    if (meta != null) {
      json.set("meta", meta);
    }
    json.put("target_index", targetIndex);
    json.put("input_field", inputField);
    json.put("target_field", targetField);
    json.set(FETCH_FIELDS, fetchFields);
  }

  private static String text(ObjectNode given, String name) {
    JsonNode value = given.remove(name);
    if (value == null || value.isNull() || value.asText().isEmpty()) {
      throw Refusal.badArgument("[" + name + "] parameter must be specified");
    }
    if (!value.isValueNode()) {
      throw MappingParser.fault("[" + name + "] parameter must be a text, but got " + value);
    }
    return value.asText();
  }

  /// Names become objects: `{"field", "format"?}`.
  private static ArrayNode fetched(@Nullable JsonNode given) {
    if (given == null || given.isEmpty()) {
      throw MappingParser.fault("[" + FETCH_FIELDS + "] parameter must not be empty");
    }
    if (!given.isArray()) {
      throw MappingParser.fault(
          "[" + FETCH_FIELDS + "] parameter must be a list, but got " + given);
    }
    ArrayNode fields = Json.MAPPER.createArrayNode();
    for (JsonNode one : given) {
      if (one.isTextual()) {
        fields.addObject().put("field", one.asText());
      } else if (one.isObject()) {
        if (!one.path("field").isTextual()) {
          throw MappingParser.fault("[field] parameter of [" + FETCH_FIELDS + "] must be provided");
        }
        ObjectNode field = fields.addObject().put("field", one.path("field").asText());
        if (one.hasNonNull("format")) {
          field.put("format", one.path("format").asText());
        }
      } else {
        throw MappingParser.fault(
            "unexpected value [" + one.asText() + "] for [" + FETCH_FIELDS + "] parameter");
      }
    }
    return fields;
  }

  public String targetIndex() {
    return targetIndex;
  }

  /// The field of this document whose values are looked up.
  public String inputField() {
    return inputField;
  }

  public String targetField() {
    return targetField;
  }

  /// What is shown of a document that was found, as the `fields` of a search.
  public ArrayNode fetchFields() {
    return fetchFields.deepCopy();
  }

  @Override
  public String typeName() {
    return NAME;
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
  public boolean isRuntime() {
    return true;
  }

  @Override
  public FieldColumns newColumns(String field) {
    throw new IllegalStateException("no document has values of the lookup field [" + field + "]");
  }

  @Override
  public boolean isSearchable() {
    return false;
  }

  @Override
  public ValuesKind values() {
    return ValuesKind.NONE;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    throw Refusal.badArgument("a lookup field has no values that could be formatted");
  }

  private static Refusal notSearchable(String field) {
    return QueryFaults.noQuery(
        "Cannot search on field [" + field + "] since it is a lookup field.");
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    throw notSearchable(field);
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    throw notSearchable(field);
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    throw notSearchable(field);
  }

  @Override
  public Query existsQuery(String field) {
    return new MatchNoDocsQuery("no document has [" + field + "]");
  }
}
