package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Texts that `_analyze` takes apart.
final class AnalysisApiTest {
  @TempDir private static Path folder = Path.of("");

  private static NodeFixture node;

  @BeforeAll
  static void start() throws Exception {
    node = new NodeFixture(folder);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void tooManyTokensAreRefused() throws Exception {
    String text = "a ".repeat(10_001);

    JsonNode refusal = node.refused(400, "POST", "/_analyze", "{\"text\":\"" + text + "\"}");

    assertThat(refusal.at("/error/type").asText()).isEqualTo("status_exception");
  }

  @Test
  void analysesATextAsTheFieldIndexesIt() throws Exception {
    node.ok(
        "PUT",
        "/analysed",
        """
        {"mappings":{"properties":{
          "t":{"type":"text","analyzer":"keyword","search_analyzer":"standard"}}}}\
        """);

    JsonNode tokens = node.ok("POST", "/analysed/_analyze", "{\"field\":\"t\",\"text\":\"a b\"}");

    assertThat(tokens.path("tokens").findValuesAsText("token")).containsExactly("a b");
  }
}
