package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bodies of updates that mean nothing, as Elasticsearch 9.5.3 refuses them.
final class UpdateShapesTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'doc':{'a':2},'banana':1}          | [1:16] [UpdateRequest] unknown field [banana]",
        "{'docc':{'a':2}}                    | [1:2] [UpdateRequest] unknown field [docc] did you"
            + " mean [doc]?",
        "{'doc':null}                        | [1:8] [UpdateRequest] doc doesn't support values of"
            + " type: VALUE_NULL",
        "{'doc':[{'a':2}]}                   | [1:8] [UpdateRequest] doc doesn't support values of"
            + " type: START_ARRAY",
        "{'upsert':5}                        | [1:11] [UpdateRequest] upsert doesn't support values"
            + " of type: VALUE_NUMBER",
        "{'script':null}                     | [1:11] [UpdateRequest] script doesn't support values"
            + " of type: VALUE_NULL",
        "{'doc':{'a':2},'detect_noop':1}     | [1:30] [UpdateRequest] detect_noop doesn't support"
            + " values of type: VALUE_NUMBER",
        "{'doc':{'a':2},'detect_noop':'pear'}| [1:30] [UpdateRequest] failed to parse field"
            + " [detect_noop]",
        "{'doc':{'a':2},'_source':5}         | [1:26] [UpdateRequest] _source doesn't support"
            + " values of type: VALUE_NUMBER",
        "{'doc':{'a':2},'_source':{'include':5}} | Unknown key for a value [5] in [include].",
        "[]                                  | [1:1] [UpdateRequest] Expected START_OBJECT but was:"
            + " START_ARRAY",
        "{}                                  | Validation Failed: 1: script or doc is missing;",
        "{'doc':{'a':2},'script':'x'}        | Validation Failed: 1: can't provide both script and"
            + " doc;",
        "{'doc':{'a':2},'if_seq_no':1}       | Validation Failed: 1: ifSeqNo is set, but primary"
            + " term is [0];",
      })
  void aBodyThatIsNoUpdateIsRefusedBeforeAnythingIsWritten(String body, String reason)
      throws Exception {
    String json = body.replace("'", "\"").replace("doesn\"t", "doesn't");
    node.ok("PUT", "/u/_doc/1", "{\"a\":1}");
    String bulk =
        "{\"index\":{\"_id\":\"1\"}}\n{\"a\":9}\n{\"update\":{\"_id\":\"1\"}}\n" + json + "\n";

    assertThat(reason(node.refused(400, "POST", "/u/_bulk", bulk))).isEqualTo(reason);
    assertThat(reason(node.refused(400, "POST", "/u/_update/1", json))).isEqualTo(reason);
    assertThat(node.ok("GET", "/u/_doc/1", "").at("/_source/a").asInt()).isEqualTo(1);
  }

  /// The script is done by then: it did not fail.
  @Test
  void whatAScriptLeavesAndIsNoDocumentIsRefused() throws Exception {
    node.ok("PUT", "/u/_doc/3", "{\"a\":1}");

    JsonNode refused =
        node.refused(
            400, "POST", "/u/_update/3", "{\"script\":\"ctx._source.self = ctx._source\"}");

    assertThat(reason(refused)).contains("self-referencing");
    assertThat(refused.path("error").has("caused_by")).isFalse();
  }

  private static String reason(JsonNode answer) {
    return answer.at("/error/reason").asText();
  }

  @Test
  void whatIsAnUpdateIsDone() throws Exception {
    String bulk =
        "{\"update\":{\"_id\":\"2\"}}\n"
            + "{\"doc\":{\"a\":1},\"doc_as_upsert\":\"true\",\"_source\":[\"a\"]}\n"
            + "{\"update\":{\"_id\":\"2\"}}\n"
            + "{\"script\":\"ctx._source.a += 1\",\"upsert\":{}}\n";
    JsonNode items = node.ok("POST", "/u/_bulk", bulk).path("items");

    assertThat(items.at("/0/update/get/_source/a").asInt()).isEqualTo(1);
    assertThat(items.at("/1/update/result").asText()).isEqualTo("updated");
    assertThat(node.ok("GET", "/u/_doc/2", "").at("/_source/a").asInt()).isEqualTo(2);
  }
}
