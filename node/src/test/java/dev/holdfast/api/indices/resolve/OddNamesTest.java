package dev.holdfast.api.indices.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Names in paths that mean nothing there, and closed indices and aliases where one index is meant,
/// as Elasticsearch 9.5.3 answers them: asked of both.
final class OddNamesTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    for (String name : List.of("one", "two", "shut")) {
      JsonNode _ = node.ok("PUT", "/" + name + "/_doc/1?refresh", "{\"t\":\"x\",\"n\":1}");
    }
    JsonNode _ = node.ok("POST", "/shut/_close", "");
    JsonNode _ =
        node.ok(
            "POST",
            "/_aliases",
            """
            {"actions":[{"add":{"index":"one","alias":"both","is_write_index":true}},
                        {"add":{"index":"two","alias":"both"}}]}
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /r:one/_mapping | 400 | Cross-cluster calls are not supported",
        "GET | /*:one/_settings | 400 | remote indices were requested: [*:one]",
        "POST | /one,r*:x/_refresh | 400 | remote indices were requested: [r*:x]",
        "GET | /_cluster/health/r:one | 400 | Cross-cluster calls are not supported",
        "GET | /r:one/_search | 404 | no such remote cluster: [r]",
        "GET | /one,r:one/_count | 404 | no such remote cluster: [r]",
        "GET | /_resolve/cluster/r:one | 404 | no such remote cluster: [r]",
        "GET | /one::data/_doc/1 | 400 | selector in expression [one::data]",
        "GET | /one::failures/_alias | 400 | selector in expression [one::failures]",
        "DELETE | /one::data | 400 | selector in expression [one::data]",
        "GET | /one::x/_source/1 | 400 | [x] is not a recognized selector",
        "GET | /both/_doc/1 | 400 | has more than one index associated with it",
        "GET | /both/_explain/1?q=x | 400 | has more than one index associated with it",
        "POST | /none*/_disk_usage?run_expensive_tasks=true | 404 | no such index [none*]",
        "PUT | /three?wait_for_active_shards=3 | 400 | cannot be greater than number of shard",
        "GET | /_tasks?group_by=x | 400 | [group_by] must be one of [nodes]",
      })
  void whatMeansNothingIsRefused(String verb, String path, int status, String reason)
      throws Exception {
    assertThat(node.refused(status, verb, path, "").at("/error/reason").asText()).contains(reason);
  }

  @Test
  void mappingsAreOfWholeIndices() throws Exception {
    for (String path : List.of("/one::data/_mapping", "/*::data/_mappings")) {
      assertThat(node.refused(400, "PUT", path, "{\"properties\":{}}").at("/error/type").asText())
          .isEqualTo("unsupported_selector_exception");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /*:one/_search",
        "GET | /one::data/_search",
        "GET | /shut/_shard_stores",
        "PUT | /both/_doc/2",
      })
  void whatMeansSomethingIsTaken(String verb, String path) throws Exception {
    JsonNode _ = node.ok(verb, path, verb.equals("PUT") ? "{}" : "");
  }

  @Test
  void whatIsWrongWithOneIndexIsToldOfItsDocument() throws Exception {
    JsonNode docs =
        node.ok(
                "POST",
                "/_mtermvectors",
                """
                {"docs":[{"_index":"shut","_id":"1"},{"_index":"both","_id":"1"},
                         {"_index":"one","_id":"1"}]}
                """)
            .path("docs");

    assertThat(docs.at("/0/error/type").asText()).isEqualTo("index_closed_exception");
    assertThat(docs.at("/1/error/type").asText()).isEqualTo("illegal_argument_exception");
    assertThat(docs.at("/2/found").asBoolean()).isTrue();
  }

  @Test
  void anIndexThatIsClosedAlreadyIsNotClosedAgain() throws Exception {
    assertThat(node.ok("POST", "/shut/_close", ""))
        .hasToString("{\"acknowledged\":true,\"shards_acknowledged\":false,\"indices\":{}}");
  }

  @Test
  void shardsAreSplitByFactorsAndSlicedByNumbers() throws Exception {
    assertThat(
            node.refused(
                    400,
                    "PUT",
                    "/three",
                    "{\"settings\":{\"number_of_routing_shards\":3,\"number_of_shards\":2}}")
                .at("/error/reason")
                .asText())
        .isEqualTo("the number of source shards [2] must be a factor of [3]");
    String slice = "{\"slice\":{\"field\":\"%s\",\"id\":0,\"max\":2}}";
    JsonNode _ = node.ok("POST", "/one/_search?scroll=1m", slice.formatted("n"));
    assertThat(node.refused(400, "POST", "/one/_search?scroll=1m", slice.formatted("t")).toString())
        .contains("cannot load numeric doc values on t");
  }
}
