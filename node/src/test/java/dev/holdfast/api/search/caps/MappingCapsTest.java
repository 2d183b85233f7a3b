package dev.holdfast.api.search.caps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `_field_caps` of many indices.
final class MappingCapsTest {
  private static final String MAPPING =
      "{\"mappings\":{\"properties\":{\"a\":{\"type\":\"%s\"},\"b\":{\"type\":\"long\"}}}}";

  private static IndexMetadata index(String name, String type, String window) {
    SortedMap<String, Object> settings = new TreeMap<>();
    settings.put("index.uuid", name + "-uuid");
    settings.put("index.provided_name", name);
    settings.put("index.creation_date", String.valueOf(name.hashCode()));
    settings.put("index.max_result_window", window);
    return new IndexMetadata(
        new IndexId(name, name + "-uuid"),
        1,
        settings,
        1,
        Json.parseObject("{\"properties\":{\"a\":{\"type\":\"" + type + "\"}}}"),
        1,
        new TreeMap<>(),
        true,
        List.of(1L));
  }

  @Test
  void indicesOfOneMappingAreReadOnceAndOthersByThemselves() {
    List<String> read = new ArrayList<>();
    MappingCaps.Known known =
        new MappingCaps.Known(index -> {
          read.add(index.id().name());
          return new MappingCaps(new TreeMap<>(), List.of());
        });

    MappingCaps first = known.of(index("x1", "long", "5"));
    MappingCaps second = known.of(index("x2", "long", "5"));
    MappingCaps third = known.of(index("x3", "keyword", "5"));
    MappingCaps fourth = known.of(index("x4", "long", "6"));

    assertThat(second).isSameAs(first);
    assertThat(third).isNotSameAs(first);
    assertThat(fourth).isNotSameAs(first);
    assertThat(read).containsExactly("x1", "x3", "x4");
  }

  @Test
  void whatDiffersIsToldByIndex(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/y2", MAPPING.formatted("long"));
      node.ok("PUT", "/y1", MAPPING.formatted("keyword"));
      node.ok("PUT", "/y4", MAPPING.formatted("long"));
      node.ok("PUT", "/y3", "{}");

      JsonNode fields =
          node.ok("GET", "/y*/_field_caps?fields=a,b&include_unmapped=true", "").path("fields");

      assertThat(fields.at("/a/long/indices").toString()).isEqualTo("[\"y2\",\"y4\"]");
      assertThat(fields.at("/a/keyword/indices").toString()).isEqualTo("[\"y1\"]");
      assertThat(fields.at("/a/unmapped/indices").toString()).isEqualTo("[\"y3\"]");
      assertThat(fields.at("/b/long/indices").toString()).isEqualTo("[\"y1\",\"y2\",\"y4\"]");
      assertThat(fields.at("/b/unmapped/searchable").asBoolean(true)).isFalse();
    }
  }
}
