package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Texts that an analyser's pattern comes to the end of the stack with.
final class PatternTextTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void aTextThatIsTooLongForAPatternIsRefusedAlone() throws Exception {
    node.ok(
        "PUT",
        "/patterns",
        """
        {"settings":{"analysis":{"analyzer":{"a":{"tokenizer":"p"}},
          "tokenizer":{"p":{"type":"pattern","pattern":"(a|b)*c","group":0}}}},
         "mappings":{"properties":{"t":{"type":"text","analyzer":"a"}}}}\
        """);
    node.ok("PUT", "/patterns/_doc/0?refresh=true", "{\"t\":\"abc\"}");
    String large = "{\"t\":\"" + "ab".repeat(200_000) + "\"}";

    HttpResponse<String> answer =
        node.call(
            "POST",
            "/patterns/_bulk?refresh=true",
            "{\"index\":{\"_id\":\"1\"}}\n{\"t\":\"small abc\"}\n{\"index\":{\"_id\":\"2\"}}\n"
                + large
                + "\n{\"index\":{\"_id\":\"3\"}}\n{\"t\":\"small abc\"}\n");

    assertThat(answer.statusCode()).isEqualTo(200);
    JsonNode items = Json.parse(answer.body()).path("items");
    assertThat(items.findValuesAsText("status")).containsExactly("201", "400", "201");
    assertThat(items.at("/1/index/error").toString())
        .contains("the text is too long for the expression [(a|b)*c]");
    // The shard was not opened anew: its engine did not fail.
    JsonNode found = node.ok("POST", "/patterns/_search", "{\"seq_no_primary_term\":true}");
    assertThat(found.at("/hits/total/value").asInt()).isEqualTo(3);
    assertThat(found.path("hits").findValuesAsText("_primary_term")).containsOnly("1");
    HttpResponse<String> analyzed =
        node.call(
            "POST", "/patterns/_analyze", large.replace("\"t\"", "\"analyzer\":\"a\",\"text\""));
    assertThat(analyzed.statusCode()).isEqualTo(400);
    assertThat(analyzed.body()).contains("the text is too long for the expression");
  }
}
