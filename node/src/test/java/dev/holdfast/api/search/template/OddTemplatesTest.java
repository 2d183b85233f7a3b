package dev.holdfast.api.search.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Parameters of templates and rated requests are of their kind: what is none is refused before
/// anything is searched.
final class OddTemplatesTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void ratedRequestsAreOfTheirKind() throws Exception {
    JsonNode _ = node.ok("PUT", "/books/_doc/1?refresh=true", "{\"n\":1}");
    String[][] refused = {
      {"{\"id\":5,\"request\":{},\"ratings\":[]}", "[id] doesn't support"},
      {"{\"id\":\"a\",\"request\":\"x\",\"ratings\":[]}", "[request] doesn't support"},
      {"{\"id\":\"a\",\"request\":{},\"ratings\":{}}", "[ratings] doesn't support"},
      {"{\"id\":\"a\",\"request\":{},\"ratings\":[5]}", "[ratings] doesn't support"},
      {"{\"id\":\"a\",\"request\":{},\"ratings\":[{\"_id\":\"1\"}]}", "Required [_index]"},
      {
        "{\"id\":\"a\",\"request\":{},\"ratings\":[{\"_index\":\"i\",\"_id\":\"1\",\"rating\":\"x\"}]}",
        "[rating] doesn't support"
      },
      {"{\"id\":\"a\",\"request\":{},\"ratings\":[],\"x\":1}", "unknown field [x]"},
      {"{\"id\":\"a\",\"template_id\":\"t\",\"params\":5,\"ratings\":[]}", "[params] doesn't"}
    };
    for (String[] one : refused) {
      String body = "{\"requests\":[" + one[0] + "],\"metric\":{\"precision\":{}}}";
      assertThat(node.refused(400, "POST", "/books/_rank_eval", body).toString())
          .as(body)
          .contains(one[1]);
    }
    String taken =
        "{\"requests\":[{\"id\":\"a\",\"request\":{},\"ratings\":[{\"_index\":\"books\","
            + "\"_id\":\"1\",\"rating\":1}]}],\"metric\":{\"precision\":{}}}";
    assertThat(node.json("POST", "/books/_rank_eval", taken).path("metric_score").asDouble())
        .isEqualTo(1);
  }

  @Test
  void parametersOfTemplatesAreAnObject() throws Exception {
    for (String params : new String[] {"5", "[]", "\"x\""}) {
      String body = "{\"source\":{\"size\":0},\"params\":" + params + "}";
      assertThat(node.refused(400, "POST", "/_render/template", body).toString())
          .contains("params doesn't support values of type");
    }
  }
}
