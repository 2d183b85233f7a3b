package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Documents as clients of Elasticsearch write and read them.
final class ClientWritesTest {
  private static String packed(float... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Float.BYTES);
    for (float number : numbers) {
      bytes.putFloat(number);
    }
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "version=1&version_type=external",
        "version_type=external",
        "version=1",
        "if_seq_no=1&if_primary_term=1"
      })
  void aNewIdHasNoVersion(String parameters, @TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.refused(400, "POST", "/books/_doc?" + parameters, "{}");
      node.refused(
          400,
          "POST",
          "/_bulk",
          """
          {"index":{"_index":"books","version":1,"version_type":"external"}}
          {}
          """);

      assertThat(node.json("/_cat/indices?format=json")).isEmpty();
    }
  }

  @Test
  void sourcesMayBeKeptNoLongerButNotAgain(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books", "{\"mappings\":{\"_source\":{\"enabled\":true}}}");
      assertThat(node.json("/books/_mapping").at("/books/mappings")).isEmpty();

      node.ok("PUT", "/books/_mapping", "{\"_source\":{\"enabled\":false}}");
      node.refused(400, "PUT", "/books/_mapping", "{\"_source\":{\"enabled\":true}}");
      node.refused(400, "PUT", "/books/_mapping", "{\"_source\":{\"includes\":[\"a\"]}}");
      node.ok("PUT", "/books/_mapping", "{\"_source\":{}}");

      assertThat(node.json("/books/_mapping").at("/books/mappings/_source/enabled"))
          .hasToString("false");
    }
  }

  @Test
  void severalDocumentsAreRoutedByLists(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books", "{\"settings\":{\"number_of_shards\":8}}");
      node.ok("PUT", "/books/_doc/1?routing=here", "{}");

      JsonNode found =
          node.ok(
              "POST",
              "/books/_mget",
              "{\"docs\":[{\"_id\":\"1\",\"routing\":[\"here\"]},{\"_id\":\"1\",\"routing\":[\"x\",\"here\"]}]}");

      assertThat(found.findValuesAsText("found")).containsExactly("true", "true");
    }
  }

  @Test
  void vectorsMayBePackedAndAreShownWhenAskedFor(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/books",
          "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"dense_vector\",\"dims\":3,\"similarity\":\"l2_norm\"}}}}");
      String vector = packed(1, 2, 3);
      node.ok("PUT", "/books/_doc/1?refresh=true", "{\"v\":\"%s\",\"n\":1}".formatted(vector));
      node.ok("PUT", "/books/_doc/2?refresh=true", "{\"v\":[9,9,9]}");
      node.refused(400, "PUT", "/books/_doc/3", "{\"v\":\"%s\"}".formatted(packed(1, 2)));
      node.refused(400, "PUT", "/books/_doc/3", "{\"v\":\"!\"}");

      JsonNode nearest =
          node.ok(
              "POST",
              "/books/_search",
              "{\"knn\":{\"field\":\"v\",\"query_vector\":\"%s\",\"k\":1}}".formatted(vector));

      assertThat(nearest.at("/hits/hits/0/_id").asText()).isEqualTo("1");
      assertThat(nearest.at("/hits/hits/0/_source")).hasToString("{\"n\":1}");
      assertThat(node.json("/books/_doc/1").path("_source")).hasToString("{\"n\":1}");
      assertThat(node.json("/books/_source/1?_source_exclude_vectors=false").has("v")).isTrue();
      assertThat(node.json("/books/_doc/1?_source_includes=v").path("_source").has("v")).isTrue();
      assertThat(
              node.ok("POST", "/books/_search", "{\"_source\":{\"exclude_vectors\":false}}")
                  .findValuesAsText("v"))
          .hasSize(2);
    }
  }

  @Test
  void copiesHaveTheVectors(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/books",
          "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"dense_vector\",\"dims\":2}}}}");
      node.ok("PUT", "/books/_doc/1?refresh=true", "{\"v\":[1,2]}");

      node.ok(
          "POST",
          "/_reindex?refresh=true",
          "{\"source\":{\"index\":\"books\"},\"dest\":{\"index\":\"copy\"}}");
      node.ok("POST", "/books/_update_by_query?refresh=true", "");
      node.ok("POST", "/books/_update/1", "{\"doc\":{\"n\":1}}");

      assertThat(node.json("/copy/_source/1?_source_exclude_vectors=false"))
          .hasToString("{\"v\":[1,2]}");
      assertThat(node.json("/books/_source/1?_source_exclude_vectors=false"))
          .hasToString("{\"v\":[1,2],\"n\":1}");
    }
  }

  @Test
  void anIndexMayShowVectorsAlways(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/books",
          """
          {"settings":{"index.mapping.exclude_source_vectors":false},
           "mappings":{"properties":{"v":{"type":"dense_vector","dims":2}}}}
          """);
      node.ok("PUT", "/books/_doc/1?refresh=true", "{\"v\":[1,2]}");

      assertThat(node.json("/books/_search").findValuesAsText("v")).hasSize(1);
      assertThat(node.json("/books/_doc/1").findValuesAsText("v")).hasSize(1);
    }
  }
}
