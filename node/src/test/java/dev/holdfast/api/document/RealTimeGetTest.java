package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Documents that no refresh has shown yet are read as they were written.
final class RealTimeGetTest {
  @Test
  void readingWhatWasJustWrittenCutsNoSegments(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books", "{\"settings\":{\"refresh_interval\":-1}}");
      for (int i = 0; i < 9; i++) {
        node.ok("PUT", "/books/_doc/" + i + "?routing=r", "{\"n\":%d}".formatted(i));
        assertThat(node.json("/books/_doc/" + i + "?routing=r").path("_source"))
            .hasToString("{\"n\":%d}".formatted(i));
      }
      for (int i = 9; i < 18; i++) {
        String id = node.ok("POST", "/books/_doc", "{\"n\":%d}".formatted(i)).path("_id").asText();
        assertThat(node.json("/books/_doc/" + id).at("/_source/n").asInt()).isEqualTo(i);
      }
      node.ok("POST", "/books/_refresh", "");

      int segments =
          node.json("/books/_segments").at("/indices/books/shards/0/0/num_search_segments").asInt();

      assertThat(segments).isBetween(1, 4);
      assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(18);
    }
  }

  @Test
  void aFieldThatIsNotKeptIsNeverShown(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/books",
          """
          {"settings":{"refresh_interval":-1},
           "mappings":{"_source":{"excludes":["secret"]},"properties":{"n":{"type":"long"}}}}\
          """);
      node.ok("PUT", "/books/_doc/1", "{\"n\":1,\"secret\":\"a\"}");
      node.json("/books/_doc/1"); // from now on it is known that documents are read at once
      node.ok("PUT", "/books/_doc/2", "{\"n\":2,\"secret\":\"b\"}");
      node.ok("POST", "/books/_update/1", "{\"doc\":{\"n\":3,\"secret\":\"c\"}}");

      assertThat(node.json("/books/_doc/1").path("_source")).hasToString("{\"n\":3}");
      assertThat(node.json("/books/_doc/2").path("_source")).hasToString("{\"n\":2}");
    }
  }
}
