package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whoever gives an index settings that mean nothing hears of it, by whichever request.
final class IdleSettingsAreToldTest {
  private static final String TIER =
      "{\"index.routing.allocation.include._tier_preference\":\"data_hot\"}";

  private static final String TOLD =
      "[index.routing.allocation.include._tier_preference] have no effect here";

  @SuppressWarnings("NullAway.Init")
  private static NodeFixture node;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    node = new NodeFixture(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  @Test
  void templatesTellOfTheirSettings() throws Exception {
    String layer = "\"template\":{\"settings\":" + TIER + "}}";
    String patterns = "{\"index_patterns\":[\"t*\"],";
    told("PUT", "/_component_template/a", "{" + layer, TOLD);
    told("PUT", "/_index_template/a", patterns + layer, TOLD);
    told("PUT", "/_template/b", "{\"index_patterns\":[\"u*\"],\"settings\":" + TIER + "}", TOLD);
    String none = "{\"template\":{\"settings\":{\"number_of_replicas\":0}}}";
    assertThat(warning(node.call("PUT", "/_component_template/c", none))).isEmpty();
  }

  @Test
  void indicesThatAreMadeOfOthersTellOfTheirs() throws Exception {
    node.ok("PUT", "/logs-1", "{\"aliases\":{\"logs\":{\"is_write_index\":true}}}");
    told("POST", "/logs/_rollover", "{\"settings\":" + TIER + "}", TOLD);
    node.ok("PUT", "/logs-1/_settings", "{\"index.blocks.write\":true}");
    told("PUT", "/logs-1/_clone/copy", "{\"settings\":" + TIER + "}", TOLD);
    told("POST", "/_create_from/logs-1/like", "{\"settings_override\":" + TIER + "}", TOLD);
  }

  /// A list of stop words that is misspelt was that of English.
  @Test
  void partsOfAnalysisTellWhatNothingReads() throws Exception {
    String settings =
        """
        {"settings":{"analysis":{
          "filter":{
            "mine":{"type":"stop","stopword":["a"],"ignore_case":true},
            "rules":{"type":"synonym","synonyms":["xx,yy"],"updateable":false,"expand":true},
            "chosen":{"type":"condition","filter":["lowercase"],
                      "script":{"source":"token.position > 0"}}},
          "analyzer":{"words":{"tokenizer":"standard","filter":["mine","rules","chosen"],
                               "char_filter":[],"position_increment_gap":5},
                      "plain":{"type":"simple","stopwords":["a"]}}}}}
        """;
    HttpResponse<String> made = node.call("PUT", "/parts", settings);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    assertThat(warning(made))
        .contains(
            "[index.analysis.analyzer.plain.stopwords, index.analysis.filter.mine.stopword] have no"
                + " effect here");
    told(
        "POST",
        "/_analyze",
        "{\"tokenizer\":{\"type\":\"ngram\",\"mingram\":1},\"text\":\"a\"}",
        "[mingram of [ngram]] have no effect");
    HttpResponse<String> right =
        node.call(
            "POST",
            "/_analyze",
            "{\"tokenizer\":{\"type\":\"ngram\",\"token_chars\":[\"letter\"]},\"text\":\"a\"}");
    assertThat(warning(right)).isEmpty();
  }

  private static void told(String method, String path, String body, String warning)
      throws Exception {
    HttpResponse<String> answer = node.call(method, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(warning(answer)).as(path).contains(warning);
  }

  private static String warning(HttpResponse<String> answer) {
    return String.join(" ", answer.headers().allValues("warning"));
  }
}
