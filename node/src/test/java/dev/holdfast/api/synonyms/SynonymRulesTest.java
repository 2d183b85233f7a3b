package dev.holdfast.api.synonyms;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which rules a synonym set takes.
final class SynonymRulesTest {
  @Test
  void rulesWithBlankPartsAreRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      for (String rule : List.of("a => ", " => b", "a, => b", "a, ,b", " ")) {
        assertThat(refused(node, rule))
            .isEqualTo("Validation Failed: 1: Incorrect syntax for [synonyms]: [" + rule + "];");
      }
      assertThat(refused(node, "a => b => c"))
          .isEqualTo(
              "Validation Failed: 1: More than one explicit mapping specified in the same synonyms"
                  + " rule: [a => b => c];");
      assertThat(refused(node, "")).contains("[synonyms] field can't be empty");
      assertThat(node.get("/_synonyms/set").statusCode()).isEqualTo(404);

      for (String rule :
          List.of("a, b", "a => b", "a,b => c,d", "a", "a\\, => b", "a \\=> b => c")) {
        node.ok("PUT", "/_synonyms/set", body(rule));
      }
      assertThat(node.refused(400, "PUT", "/_synonyms/set/1", "{\"synonyms\":\"a => \"}"))
          .isNotEmpty();
    }
  }

  private static String body(String rule) {
    return "{\"synonyms_set\":[{\"id\":\"1\",\"synonyms\":" + TextNode.valueOf(rule) + "}]}";
  }

  private static String refused(NodeFixture node, String rule) throws Exception {
    JsonNode error = node.refused(400, "PUT", "/_synonyms/set", body(rule)).path("error");
    assertThat(error.path("type").asText()).isEqualTo("action_request_validation_exception");
    return error.path("reason").asText();
  }
}
