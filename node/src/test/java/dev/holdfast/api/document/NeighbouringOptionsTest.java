package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Options beside those that most requests have: what was ignored, or hidden by another option, and
/// what Elasticsearch refuses of them.
final class NeighbouringOptionsTest {
  private static NodeFixture node;

  @BeforeAll
  static void fill(@TempDir Path folder) throws Exception {
    node = new NodeFixture(folder);
    node.ok("PUT", "/books", "{\"mappings\":{\"properties\":{\"title\":{\"type\":\"text\"}}}}");
    node.ok(
        "PUT", "/books/_doc/1?refresh=true", "{\"title\":\"quick fox\",\"tag\":\"a\",\"size\":1}");
  }

  @AfterAll
  static void close() throws Exception {
    node.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /books/_doc/1? | /_source | _source=nothing&_source_includes=title | {"title":"quick fox"}
          /books/_doc/1? | /_source | _source=*&_source_includes=tag | {"tag":"a"}
          /books/_doc/1? | /_source | _source=ti*,tag&_source_excludes=tag | {"title":"quick fox"}
          /books/_doc/1? | /_source | _source=false&_source_includes=tag |
          /books/_search? | /hits/hits/0/_source | _source=*&_source_includes=tag | {"tag":"a"}
          /books/_search? | /hits/hits/0/_source | _source=t*&_source_excludes=tag | {"title":"quick fox"}
          /books/_search? | /hits/hits/0/_source | _source=false&_source_includes=tag |
          /books/_explain/1?q=title:fox& | /get/_source | _source=*&_source_includes=tag | {"tag":"a"}
          /books/_explain/1?q=title:fox& | /get | _source=false |
          """)
  void includesOfTheirOwnWinOverTheSourcesNameAndFalseWinsOverAll(
      String path, String place, String options, String shown) throws Exception {
    JsonNode answer = node.json(path + options);

    assertThat(answer.at(place)).hasToString(shown == null ? "" : shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST | /books/_search | {"query":{"query_string":{"query":"fox","analyzer":"nope","lenient":true}}} | analyzer [nope] not found
          POST | /books/_search | {"query":{"query_string":{"query":"fox","quote_analyzer":"nope","lenient":true}}} | analyzer [nope] not found
          POST | /books/_search | {"query":{"simple_query_string":{"query":"fox","analyzer":"nope","lenient":true}}} | analyzer [nope] not found
          POST | /books/_field_caps | {"fields":5} | VALUE_NUMBER
          PUT | /_scripts/s | {"script":{"lang":"mustache","source":"x","options":{"speed":"high"}}} | illegal compiler options
          PUT | /books/_alias/hidden | {"is_hidden":true} | Unsupported field [is_hidden]
          POST | /books/_termvectors/1 | {"offsets":null} | VALUE_NULL
          POST | /books/_termvectors/1 | {"version":"x"} | version
          POST | /books/_termvectors/1?version_type=nope | {} | No version type match [nope]
          PUT | /_cluster/settings | {"persistent":{"search.max_buckets":99999999999}} | must be <= 2147483647
          PUT | /books/_clone/copy | {"settings":null} | VALUE_NULL
          PUT | /plays | {"mappings":{"dynamic_templates":[{"all":{"match":"*","mapping":{"type":"text","analyzer":"nope"}}}]}} | analyzer [nope] has not been configured
          PUT | /books/_mapping | {"dynamic_templates":[{"all":{"match_mapping_type":"string","mapping":{"type":"keyword","normalizer":"nope"}}}]} | normalizer [nope]
          """)
  void refusesWhatWasIgnored(String method, String path, String body, String reason)
      throws Exception {
    JsonNode answer = node.refused(400, method, path, body);

    assertThat(answer.at("/error").toString()).contains(reason);
  }

  @Test
  void theVersionThatTermVectorsAreAskedOfIsCompared() throws Exception {
    JsonNode refused = node.refused(409, "POST", "/books/_termvectors/1?version=9", "{}");

    assertThat(refused.at("/error/type").asText()).isEqualTo("version_conflict_engine_exception");
    assertThat(
            node.ok("POST", "/books/_termvectors/1?version=1", "{\"offsets\":\"\"}")
                .at("/found")
                .asBoolean())
        .isTrue();
    assertThat(
            node.ok("POST", "/books/_mtermvectors?ids=1&version=9", "{}")
                .at("/docs/0/error/type")
                .asText())
        .isEqualTo("version_conflict_engine_exception");
  }

  @Test
  void dynamicTemplatesHaveTheAnalyzersOfTheirIndex() throws Exception {
    String mapping =
        """
        {"settings":{"analysis":{"analyzer":{"own":{"type":"custom","tokenizer":"keyword"}}}},
         "mappings":{"dynamic_templates":[{"all":{"match":"*","mapping":{"type":"text","analyzer":"own"}}}]}}
        """;

    node.ok("PUT", "/poems", mapping);
    node.ok(
        "PUT",
        "/poems/_mapping",
        "{\"dynamic_templates\":[{\"all\":{\"match\":\"a*\",\"mapping\":{\"type\":\"text\",\"analyzer\":\"own\"}}}]}");

    assertThat(node.json("/poems/_mapping").toString()).contains("\"match\":\"a*\"");
  }

  @Test
  void aPathOfNothingButCommasNamesNoPipeline() throws Exception {
    assertThat(node.refused(404, "GET", "/_ingest/pipeline/,", "")).isEmpty();
  }

  @Test
  void aResizedIndexHasTheReplicasOfANewOne() throws Exception {
    node.ok("PUT", "/bare", "{\"settings\":{\"number_of_replicas\":0,\"blocks.write\":true}}");

    node.ok("PUT", "/bare/_clone/bare-default", "{}");
    node.ok("PUT", "/bare/_clone/bare-none", "{\"settings\":{\"number_of_replicas\":0}}");

    assertThat(replicas("bare-default")).isEqualTo("1");
    assertThat(replicas("bare-none")).isEqualTo("0");
  }

  private static String replicas(String index) throws Exception {
    return node.json("/" + index).at("/" + index + "/settings/index/number_of_replicas").asText();
  }
}
