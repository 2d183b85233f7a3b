package dev.holdfast.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.mapping.IndexMapping;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.source.FetchedField;
import dev.holdfast.world.text.JsonTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.search.IndexSearcher;

/// The `fields` of a document that is read by id: values of fields that are mapped with `store`,
/// read from the source as their types mean them.
final class StoredValues {
  private StoredValues() {}

  /// Writes `"fields": {name: [value, …]}` into the open object, when there is any.
  static void write(JsonGenerator out, IndexMetadata index, List<String> names, byte[] source)
      throws IOException {
    if (names.isEmpty()) {
      return;
    }
    try (JsonTree tree = JsonTree.of(source)) {
      write(out, of(index, names, tree.root()));
    }
  }

  private static void write(JsonGenerator out, Map<String, List<Object>> fields)
      throws IOException {
    if (fields.isEmpty()) {
      return;
    }
    out.writeObjectFieldStart("fields");
    for (Map.Entry<String, List<Object>> field : fields.entrySet()) {
      out.writeArrayFieldStart(field.getKey());
      for (Object value : field.getValue()) {
        out.writePOJO(value);
      }
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  private static Map<String, List<Object>> of(
      IndexMetadata index, List<String> names, JsonNode source) throws IOException {
    IndexMapping mapping = IndexMapping.create(index.mapping(), index.settings());
    Map<String, List<Object>> fields = new LinkedHashMap<>();
    try (MultiReader nothing = new MultiReader()) {
      IndexSearcher searcher = new IndexSearcher(nothing);
      QueryContext context =
          new QueryContext(index.id().name(), 0, mapping, searcher, 0, () -> false);
      for (String name : names) {
        FieldType type = context.type(name);
        if (type != null && type.toJson().path("store").asBoolean(false)) {
          List<Object> values = new FetchedField(context, name, null).of(source, new ArrayList<>());
          if (!values.isEmpty()) {
            fields.put(name, values);
          }
        }
      }
    }
    return fields;
  }
}
