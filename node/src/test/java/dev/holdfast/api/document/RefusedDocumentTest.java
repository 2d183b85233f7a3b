package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A document that is refused changes nothing: not the mapping, nor the documents beside it.
final class RefusedDocumentTest {
  @Test
  void leavesNothingInTheMapping(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String mappings = "{\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}";
      assertThat(node.call("PUT", "/books", mappings).statusCode()).isEqualTo(200);

      int refused = node.call("PUT", "/books/_doc/1", "{\"a\":1,\"n\":\"x\"}").statusCode();
      JsonNode bulk =
          Json.parse(
              node.call(
                      "POST",
                      "/books/_bulk?refresh=true",
                      """
                      {"index":{"_id":"2"}}
                      {"n":2,"kept":true}
                      {"index":{"_id":"3"}}
                      {"b":{"c":"new"},"n":"x"}
                      {"index":{"_id":"4"}}
                      {"n":4,"also":"kept"}
                      """)
                  .body());

      assertThat(refused).isEqualTo(400);
      assertThat(bulk.at("/items/0/index/status").asInt()).isEqualTo(201);
      assertThat(bulk.at("/items/1/index/status").asInt()).isEqualTo(400);
      assertThat(bulk.at("/items/2/index/status").asInt()).isEqualTo(201);
      assertThat(node.json("/books/_mapping").at("/books/mappings/properties").properties())
          .extracting(field -> field.getKey())
          .containsExactlyInAnyOrder("n", "kept", "also");
      assertThat(node.json("/books/_search?q=also:kept").at("/hits/hits/0/_id").asText())
          .isEqualTo("4");
    }
  }
}
