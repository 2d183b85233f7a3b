package dev.holdfast.api.indices.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Texts that `_analyze` takes apart.
final class AnalysisApiTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

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

  /// Each was made once for each of those before it: 9,000 were 40 million.
  @Test
  void manyFiltersAreNotMadeAgainAndAgain() throws Exception {
    String many = "{\"tokenizer\":\"whitespace\",\"text\":\"A b\",\"filter\":[%s\"lowercase\"]}";
    var tokens = node.ok("POST", "/_analyze", many.formatted("\"lowercase\",".repeat(499)));
    assertThat(tokens.at("/tokens/0/token").asText()).isEqualTo("a");
    assertThat(
            node.refused(400, "POST", "/_analyze", many.formatted("\"lowercase\",".repeat(500)))
                .at("/error/reason")
                .asText())
        .isEqualTo("Validation Failed: 1: [501] filters are more than [500];");
  }

  @Test
  void explainsThePartsThatAnIndexMadeAnAnalyserOf() throws Exception {
    node.ok(
        "PUT",
        "/made",
        """
        {"settings":{"analysis":{
          "analyzer":{"c":{"type":"custom","tokenizer":"standard","filter":["lowercase"]}},
          "normalizer":{"n":{"type":"custom","filter":["lowercase"]}}}},
         "mappings":{"properties":{"k":{"type":"keyword","normalizer":"n"},
          "gapless":{"type":"text","position_increment_gap":0}}}}\
        """);
    String[][] asked = {
      {"\"analyzer\":\"c\"", "standard"},
      {"\"normalizer\":\"n\"", "keyword"},
      {"\"field\":\"k\"", "keyword"}
    };
    for (String[] one : asked) {
      JsonNode detail =
          node.ok("POST", "/made/_analyze", "{" + one[0] + ",\"explain\":true,\"text\":\"A\"}")
              .path("detail");

      assertThat(detail.path("custom_analyzer").asBoolean()).as(one[0]).isTrue();
      assertThat(detail.at("/tokenizer/name").asText()).isEqualTo(one[1]);
      assertThat(detail.at("/tokenizer/tokens/0/token").asText()).isEqualTo("A");
      assertThat(detail.at("/tokenfilters/0/tokens/0/token").asText()).isEqualTo("a");
    }
    JsonNode gapless =
        node.ok("POST", "/made/_analyze", "{\"field\":\"gapless\",\"text\":[\"a\",\"b\"]}");
    assertThat(gapless.at("/tokens/1/position").asInt()).isEqualTo(1);
    node.refused(
        400, "POST", "/made/_analyze", "{\"analyzer\":\"c\",\"normalizer\":\"n\",\"text\":\"a\"}");
  }
}
