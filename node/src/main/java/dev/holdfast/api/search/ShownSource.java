package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.DocumentLimits;
import dev.holdfast.document.field.vector.PackedVector;
import dev.holdfast.query.source.SourceFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a request for one document shows of its source: vectors, which are long and which people
/// seldom read, only when it asks for them, and then as numbers.
public final class ShownSource {
  private static final String DENSE = "dense_vector";
  private static final List<String> VECTORS = List.of(DENSE, "sparse_vector");

  private ShownSource() {}

  public static SourceFilter of(IndexMetadata index, SourceFilter filter) {
    boolean byDefault =
        DocumentLimits.hidesVectors(index.settings().get("index.mapping.exclude_source_vectors"));
    Map<String, JsonNode> vectors = new HashMap<>();
    collect(index.mapping().path("properties"), "", vectors);
    if (filter.hidesVectors(byDefault)) {
      return filter.without(List.copyOf(vectors.keySet()));
    }
    Map<String, PackedVector> packed = new HashMap<>();
    vectors.forEach((path, field) -> {
      if (field.path("type").asText().equals(DENSE)) {
        packed.put(path, PackedVector.of(field));
      }
    });
    return filter.unpacking(packed);
  }

  private static void collect(JsonNode properties, String prefix, Map<String, JsonNode> vectors) {
    properties
        .properties()
        .forEach(member -> {
          String path = prefix + member.getKey();
          JsonNode field = member.getValue();
          if (VECTORS.contains(field.path("type").asText())) {
            vectors.put(path, field);
          }
          collect(field.path("properties"), path + ".", vectors);
        });
  }
}
