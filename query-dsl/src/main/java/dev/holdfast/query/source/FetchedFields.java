package dev.holdfast.query.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The `fields` of a hit: those of nested objects object by object, so that values which belong
/// together stay together.
public final class FetchedFields {
  private final QueryContext context;

  /// The nested object that holds them; null for a document.
  private final @Nullable String scope;

  private final Map<String, FetchedField> plain = new LinkedHashMap<>();
  private final Map<String, FetchedFields> nested = new TreeMap<>();

  public FetchedFields(QueryContext context, @Nullable String scope) {
    this.context = context;
    this.scope = scope;
  }

  public boolean isEmpty() {
    return plain.isEmpty() && nested.isEmpty();
  }

  /// @param field full path
  public void add(String field, FetchedField values) {
    String holder = outermost(field);
    if (holder == null) {
      plain.put(field, values);
    } else {
      nested.computeIfAbsent(holder, path -> new FetchedFields(context, path)).add(field, values);
    }
  }

  /// The first nested object on the way from the scope to a field; null when there is none.
  private @Nullable String outermost(String field) {
    String found = null;
    String at = context.mapping().nestedScope(field);
    while (at != null && !at.equals(scope)) {
      found = at;
      at = context.mapping().nestedScope(at);
    }
    return at == null && scope != null ? null : found;
  }

  /// @param source of the document, or of the nested object wrapped in its full path
  /// @param ignored takes the values that fields do not have, by field
  public void addTo(
      Map<String, List<Object>> values, Map<String, List<Object>> ignored, JsonNode source) {
    plain.forEach((field, sourced) -> {
      List<Object> without = new ArrayList<>();
      List<Object> found = sourced.of(source, without);
      if (!without.isEmpty()) {
        ignored.put(field, without);
      }
      if (!found.isEmpty()) {
        values.put(field, found);
      }
    });
    nested.forEach((path, fields) -> {
      List<Object> objects = fields.objects(path, source);
      if (!objects.isEmpty()) {
        values.put(path, objects);
      }
    });
  }

  private List<Object> objects(String path, JsonNode source) {
    return SourceValues.of(source, path).stream()
        .filter(JsonNode::isObject)
        .map(object -> NestedBlocks.wrapped(path, object))
        .map(wrapped -> (Object) object(path, wrapped))
        .filter(object -> !((ObjectNode) object).isEmpty())
        .toList();
  }

  /// One nested object: its fields by the rest of their paths.
  private ObjectNode object(String path, ObjectNode wrapped) {
    Map<String, List<Object>> values = new LinkedHashMap<>();
    addTo(values, new LinkedHashMap<>(), wrapped);
    ObjectNode object = Json.object();
    values.forEach((field, found) ->
        object.set(field.substring(path.length() + 1), Json.MAPPER.valueToTree(found)));
    return object;
  }
}
