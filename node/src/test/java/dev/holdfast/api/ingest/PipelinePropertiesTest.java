package dev.holdfast.api.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What pipelines say of themselves is of its kind, and versions follow each other.
final class PipelinePropertiesTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static final String[][] REFUSED = {
    {"\"description\":5", "[description] property isn't a string, but of type [java.lang.Integer]"},
    {"\"_meta\":[]", "[_meta] property isn't a map, but of type [java.util.ArrayList]"},
    {"\"deprecated\":\"x\"", "[deprecated] property isn't a boolean"},
    {"\"version\":\"x\"", "[version] property cannot be converted to an int [x]"},
    {"\"version\":1.5", "[version] property cannot be converted to an int [1.5]"},
    {"\"field_access_pattern\":5", "[field_access_pattern] property isn't a string"},
    {"\"field_access_pattern\":\"x\"", "doesn't support value of [x]"},
    {"\"field_access_pattern\":\"flexible\"", "doesn't support value of [flexible]"}
  };

  @Test
  void propertiesOfAnotherKindAreRefused() throws Exception {
    for (String[] one : REFUSED) {
      String pipeline = "{\"processors\":[]," + one[0] + "}";
      String simulated = "{\"pipeline\":" + pipeline + ",\"docs\":[{\"_source\":{}}]}";
      for (JsonNode refused :
          new JsonNode[] {
            node.refused(400, "PUT", "/_ingest/pipeline/p", pipeline),
            node.refused(400, "POST", "/_ingest/pipeline/_simulate", simulated)
          }) {
        assertThat(refused.at("/error/reason").asText()).as(pipeline).contains(one[1]);
      }
    }
    String taken =
        "{\"processors\":[],\"description\":null,\"version\":\"3\",\"on_failure\":null,"
            + "\"field_access_pattern\":\"classic\",\"_meta\":{\"a\":1},\"deprecated\":true}";
    assertThat(node.call("PUT", "/_ingest/pipeline/p", taken).statusCode()).isEqualTo(200);
  }

  @Test
  void versionsFollowEachOther() throws Exception {
    JsonNode _ = node.ok("PUT", "/_ingest/pipeline/v", "{\"processors\":[],\"version\":4}");
    JsonNode same =
        node.refused(
            400, "PUT", "/_ingest/pipeline/v?if_version=4", "{\"processors\":[],\"version\":4}");
    JsonNode _ = node.ok("PUT", "/_ingest/pipeline/v?if_version=4", "{\"processors\":[]}");

    assertThat(same.at("/error/reason").asText())
        .isEqualTo("cannot update pipeline [v] with the same version [4]");
    assertThat(node.json("/_ingest/pipeline/v").at("/v/version").asInt()).isEqualTo(5);
  }

  @Test
  void simulatedDocumentsAreOfTheirKind() throws Exception {
    String[][] refused = {
      {"5", "malformed [docs] section, should include an inner object"},
      {"{\"_source\":{},\"_version\":\"x\"}", "For input string: \"x\""},
      {"{\"_source\":{},\"_if_seq_no\":\"x\"}", "For input string: \"x\""},
      {"{\"_source\":{},\"_version_type\":\"x\"}", "No version type match [x]"}
    };
    for (String[] one : refused) {
      String body = "{\"pipeline\":{\"processors\":[]},\"docs\":[" + one[0] + "]}";
      assertThat(
              node.refused(400, "POST", "/_ingest/pipeline/_simulate", body)
                  .at("/error/reason")
                  .asText())
          .as(one[0])
          .isEqualTo(one[1]);
    }
  }

  @Test
  void aPipelineThatIsPutAgainStaysAsItIs() throws Exception {
    String pipeline = "{\"processors\":[{\"drop\":{}}],\"version\":3}";
    node.ok("PUT", "/_ingest/pipeline/again", pipeline);
    JsonNode before = node.ok("GET", "/_ingest/pipeline/again", "");
    node.ok("PUT", "/meanwhile/_doc/1?refresh=true", "{}");

    node.ok("PUT", "/_ingest/pipeline/again", pipeline);

    assertThat(node.ok("GET", "/_ingest/pipeline/again", "")).isEqualTo(before);
    node.ok("PUT", "/_ingest/pipeline/again", "{\"processors\":[],\"version\":3}");
    assertThat(node.ok("GET", "/_ingest/pipeline/again", "").at("/again/processors")).isEmpty();
  }
}
