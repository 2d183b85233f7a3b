package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A bulk that is written in parts answers as one that is not.
final class LargeBulkAnswersTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  /// Larger than what any node holds in memory of a bulk.
  private static final int FILLER_BYTES = 17 << 20;

  private static final String FILLER =
      "{\"index\":{\"_index\":\"fillers\"}}\n{\"text\":\"" + "filler ".repeat(150) + "\"}\n";

  private static final int FILLERS = FILLER_BYTES / FILLER.length();

  /// Of every kind, some of which fail.
  private static String kinds(String index) {
    return """
    {"create":{"_index":"%1$s","_id":"1"}}
    {"n":1.50}
    {"create":{"_index":"%1$s","_id":"1"}}
    {"n":2}
    {"update":{"_index":"%1$s","_id":"1","_source":true}}
    {"doc":{"k":"x"}}
    {"index":{"_index":"%1$s","_id":"2"}}
    {"n":"none"}
    {"delete":{"_index":"%1$s","_id":"9"}}
    {"index":{"_index":"Upper"}}
    {}
    """
        .formatted(index);
  }

  private static String withoutNames(JsonNode item, String index) {
    return item.toString()
        .replace(index, "i")
        .replaceAll("index_uuid\":\"[^\"]*", "index_uuid\":\"u");
  }

  @Test
  void itemsOfEveryKindAreAnsweredInOrder() throws Exception {
    node.ok("PUT", "/first", "{\"mappings\":{\"properties\":{\"n\":{\"type\":\"double\"}}}}");
    node.ok("PUT", "/second", "{\"mappings\":{\"properties\":{\"n\":{\"type\":\"double\"}}}}");
    JsonNode small = node.ok("POST", "/_bulk?refresh=true", kinds("first")).path("items");

    JsonNode large =
        node.ok("POST", "/_bulk?refresh=true", FILLER.repeat(FILLERS) + kinds("second"));

    assertThat(large.path("errors").asBoolean()).isTrue();
    assertThat(large.path("items")).hasSize(FILLERS + small.size());
    for (int i = 0; i < small.size(); i++) {
      assertThat(withoutNames(large.path("items").get(FILLERS + i), "second"))
          .isEqualTo(withoutNames(small.get(i), "first"));
    }
    assertThat(large.at("/items/0/index/forced_refresh").asBoolean()).isTrue();
    assertThat(node.json("/fillers/_count").path("count").asInt()).isEqualTo(FILLERS);

    String yaml =
        node.call(
                "POST",
                "/_bulk?format=yaml&filter_path=errors,items.*.error.type",
                FILLER.repeat(FILLERS) + kinds("first"))
            .body();
    assertThat(yaml)
        .startsWith(
            "---\nerrors: true\nitems:\n- create:\n    error:\n      type: \"version_conflict");
  }

  @Test
  void aLineThatIsMalformedRefusesAllOfIt() throws Exception {
    String fillers = FILLER.replace("fillers", "none").repeat(FILLERS);
    for (String end :
        new String[] {
          "{\"index\":{\"wrong\":1}}\n{}\n", "{\"index\":{}}\n{}", "{\"update\":{}}\n{}\n"
        }) {
      JsonNode small = node.refused(400, "POST", "/_bulk", FILLER + end);
      JsonNode large = node.refused(400, "POST", "/_bulk", fillers + end);
      assertThat(large.toString().replaceAll("line \\[\\d+]", "line"))
          .isEqualTo(small.toString().replaceAll("line \\[\\d+]", "line"));
    }
    assertThat(node.get("/none").statusCode()).isEqualTo(404);
  }

  @Test
  void aParameterThatMeansNothingChangesNothing() throws Exception {
    String fillers = FILLER.replace("fillers", "never").repeat(FILLERS);
    for (String parameter :
        new String[] {"refresh=maybe", "list_executed_pipelines=maybe", "unknown=1"}) {
      var _ = node.refused(400, "POST", "/_bulk?" + parameter, fillers);
    }
    assertThat(node.get("/never").statusCode()).isEqualTo(404);
  }
}
