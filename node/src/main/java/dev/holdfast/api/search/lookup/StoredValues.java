package dev.holdfast.api.search.lookup;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
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
import org.jspecify.annotations.Nullable;

/// The `fields` of a document that is read by id: values of fields that are mapped with `store`,
/// read from the source as their types mean them.
///
/// One for the documents of a request: the mapping of an index is made once for those that follow
/// one another. For one thread.
public final class StoredValues {
  private final MappingFactory factory;
  private @Nullable IndexMetadata index;
  private @Nullable Mapping mapping;

  public StoredValues() {
    this(IndexMapping::create);
  }

  StoredValues(MappingFactory factory) {
    this.factory = factory;
  }

  /// Writes `"fields": {name: [value, …]}` into the open object, when there is any.
  public void write(JsonGenerator out, IndexMetadata of, List<String> names, byte[] source)
      throws IOException {
    if (names.isEmpty()) {
      return;
    }
    try (JsonTree tree = JsonTree.of(source)) {
      write(out, values(of, names, tree.root()));
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

  @SuppressWarnings("ReferenceEquality") // what is known of an index is one object until it changes
  private Mapping mapping(IndexMetadata of) {
    Mapping known = mapping;
    if (known == null || of != index) {
      known = factory.of(of);
      index = of;
      mapping = known;
    }
    return known;
  }

  private Map<String, List<Object>> values(IndexMetadata of, List<String> names, JsonNode source)
      throws IOException {
    Map<String, List<Object>> fields = new LinkedHashMap<>();
    try (MultiReader nothing = new MultiReader()) {
      IndexSearcher searcher = new IndexSearcher(nothing);
      QueryContext context =
          new QueryContext(of.id().name(), 0, mapping(of), searcher, 0, () -> false);
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
