package dev.holdfast.query.fetch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.mapping.LookupType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.request.HitParts;
import dev.holdfast.query.request.HitParts.FieldRequest;
import dev.holdfast.query.result.Lookup;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;

/// The `lookup` fields among the `fields` of hits: what is to be asked of other indices for each
/// value of their input fields.
final class LookupFields {
  private final QueryContext context;
  private final Map<String, Of> fields = new LinkedHashMap<>();

  /// @param input what reads the input field of a hit; nothing when that is a look-up itself
  private record Of(LookupType type, FieldValues input) {}

  LookupFields(QueryContext context) {
    this.context = context;
  }

  boolean isEmpty() {
    return fields.isEmpty();
  }

  /// @throws Refusal when there is no input field, or expensive queries are not allowed
  void add(String field, LookupType type) {
    context.beExpensive("look-ups of [" + field + "]", "");
    FieldType input = context.type(type.inputField());
    if (input == null) {
      throw new Refusal(
          ErrorType.QUERY_SHARD,
          "No field mapping can be found for the field with name [" + type.inputField() + "]");
    }
    List<FieldRequest> wanted =
        input instanceof LookupType
            ? List.of()
            : List.of(new FieldRequest(type.inputField(), null, false));
    HitParts parts =
        new HitParts(false, false, false, false, wanted, List.of(), List.of(), List.of(), null);
    fields.put(field, new Of(type, new FieldValues(context, parts)));
  }

  /// Adds what is to be looked up for a hit.
  ///
  /// @param root the document itself; `doc` unless that is a nested object
  void addTo(
      Map<String, List<Object>> values, LeafReaderContext leaf, int doc, int root, JsonNode source)
      throws IOException {
    for (Map.Entry<String, Of> field : fields.entrySet()) {
      LookupType type = field.getValue().type();
      List<Object> inputs =
          field
              .getValue()
              .input()
              .of(leaf, doc, root, source, null, new LinkedHashMap<>())
              .getOrDefault(type.inputField(), List.of());
      List<Object> wanted = new ArrayList<>();
      for (Object input : inputs) {
        wanted.add(new Lookup(type.targetIndex(), search(type, input)));
      }
      if (!wanted.isEmpty()) {
        values.put(field.getKey(), wanted);
      }
    }
  }

  private static ObjectNode search(LookupType type, Object input) {
    String text = input instanceof JsonNode node && node.isValueNode() ? node.asText() : input + "";
    ObjectNode search = Json.object().put("size", 1).put("_source", false);
    search.put("track_total_hits", false);
    search.putObject("query").putObject("term").put(type.targetField(), text);
    search.set("fields", type.fetchFields());
    return search;
  }
}
