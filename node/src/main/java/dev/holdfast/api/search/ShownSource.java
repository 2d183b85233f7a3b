package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.DocumentLimits;
import dev.holdfast.query.source.SourceFilter;
import java.util.ArrayList;
import java.util.List;

/// What a request for one document shows of its source: vectors, which are long and which people
/// seldom read, only when it asks for them.
public final class ShownSource {
  private static final List<String> VECTORS = List.of("dense_vector", "sparse_vector");

  private ShownSource() {}

  public static SourceFilter of(IndexMetadata index, SourceFilter filter) {
    boolean byDefault =
        DocumentLimits.hidesVectors(index.settings().get("index.mapping.exclude_source_vectors"));
    if (!filter.hidesVectors(byDefault)) {
      return filter;
    }
    List<String> paths = new ArrayList<>();
    collect(index.mapping().path("properties"), "", paths);
    return filter.without(paths);
  }

  private static void collect(JsonNode properties, String prefix, List<String> paths) {
    properties
        .properties()
        .forEach(member -> {
          String path = prefix + member.getKey();
          JsonNode field = member.getValue();
          if (VECTORS.contains(field.path("type").asText())) {
            paths.add(path);
          }
          collect(field.path("properties"), path + ".", paths);
        });
  }
}
