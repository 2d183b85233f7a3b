package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Every API that reads `_source` sees a synthetic one as it sees any other.
final class SyntheticSourceApiTest {
  private static final String SYNTHETIC =
      "\"settings\":{\"index.mapping.source.mode\":\"synthetic\"}";

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static String refused(String method, String target, String body) throws Exception {
    return node.refused(400, method, target, body).at("/error/reason").asText();
  }

  private static void create(String index, String mappings) throws Exception {
    JsonNode _ = node.ok("PUT", "/" + index, "{" + SYNTHETIC + ",\"mappings\":" + mappings + "}");
  }

  @Test
  void getsSeeItBeforeAndAfterARefresh() throws Exception {
    create("read", "{}");
    String expected = "{\"k\":[1,2],\"o\":{\"y\":\"q\",\"z\":1},\"s\":\"b\"}";
    JsonNode _ =
        node.ok("PUT", "/read/_doc/1", "{\"s\":\"b\",\"o\":[{\"z\":1,\"y\":\"q\"}],\"k\":[2,1]}");

    assertThat(node.ok("GET", "/read/_source/1", "")).hasToString(expected);
    JsonNode _ = node.ok("POST", "/read/_refresh", "");
    assertThat(node.ok("GET", "/read/_doc/1?realtime=false", "").path("_source"))
        .hasToString(expected);
    assertThat(node.ok("GET", "/read/_doc/1?_source_includes=o.*", "").path("_source"))
        .hasToString("{\"o\":{\"y\":\"q\",\"z\":1}}");
    assertThat(node.ok("POST", "/read/_mget", "{\"ids\":[\"1\"]}").at("/docs/0/_source"))
        .hasToString(expected);
  }

  @Test
  void searchesFilterAndHighlightIt() throws Exception {
    create(
        "searched",
        """
        {"properties":{"t":{"type":"text","fields":{"raw":{"type":"keyword"}}},
          "n":{"type":"nested","properties":{"k":{"type":"keyword"},"l":{"type":"long"}}}}}\
        """);
    JsonNode _ =
        node.ok(
            "PUT",
            "/searched/_doc/1?refresh=true",
            "{\"t\":\"quick fox\",\"n\":[{\"k\":\"a\",\"l\":1},{\"l\":[3,2],\"k\":\"b\"}]}");

    JsonNode hit =
        node.ok(
                "POST",
                "/searched/_search",
                """
                {"query":{"bool":{"must":[{"match":{"t":"fox"}},
                   {"nested":{"path":"n","query":{"term":{"n.k":"b"}},"inner_hits":{}}}]}},
                 "_source":["n.l"],"fields":["t","n.k"],"highlight":{"fields":{"t":{}}}}\
                """)
            .at("/hits/hits/0");

    assertThat(hit.path("_source")).hasToString("{\"n\":[{\"l\":1},{\"l\":[2,3]}]}");
    assertThat(hit.at("/highlight/t/0").asText()).isEqualTo("quick <em>fox</em>");
    assertThat(hit.at("/fields/t/0").asText()).isEqualTo("quick fox");
    assertThat(hit.at("/inner_hits/n/hits/hits/0/_source"))
        .hasToString("{\"k\":\"b\",\"l\":[2,3]}");
  }

  @Test
  void updatesAndCopiesBeginWithIt() throws Exception {
    create("changed", "{}");
    JsonNode _ = node.ok("PUT", "/changed/_doc/1", "{\"k\":[2,1],\"s\":[\"b\",\"a\",\"b\"]}");
    JsonNode _ = node.ok("POST", "/changed/_update/1", "{\"doc\":{\"k\":[9,3]}}");
    JsonNode _ = node.ok("POST", "/changed/_update/1?refresh=true", "{\"doc\":{\"x\":true}}");
    String expected = "{\"k\":[3,9],\"s\":[\"a\",\"b\"],\"x\":true}";
    assertThat(node.ok("GET", "/changed/_source/1", "")).hasToString(expected);

    JsonNode _ = node.ok("POST", "/changed/_update_by_query?refresh=true&conflicts=proceed", "{}");
    JsonNode _ =
        node.ok(
            "POST",
            "/_reindex?refresh=true",
            "{\"source\":{\"index\":\"changed\"},\"dest\":{\"index\":\"copied\"}}");

    assertThat(node.ok("GET", "/changed/_source/1", "")).hasToString(expected);
    assertThat(node.ok("GET", "/copied/_source/1", "")).hasToString(expected);
  }

  @Test
  void mergedSegmentsTellTheSame() throws Exception {
    create("merged", "{}");
    for (int i = 0; i < 5; i++) {
      JsonNode _ =
          node.ok(
              "PUT",
              "/merged/_doc/" + i + "?refresh=true",
              "{\"n\":[" + i + ",0],\"t\":\"t" + i + "\",\"f" + i + "\":1.5}");
    }
    JsonNode _ = node.ok("DELETE", "/merged/_doc/0", "");
    JsonNode _ = node.ok("POST", "/merged/_forcemerge?max_num_segments=1", "");
    JsonNode _ = node.ok("POST", "/merged/_refresh", "");

    JsonNode hits = node.ok("POST", "/merged/_search", "{\"sort\":\"n\"}").at("/hits/hits");

    assertThat(hits).hasSize(4);
    for (JsonNode hit : hits) {
      String i = hit.path("_id").asText();
      assertThat(hit.path("_source"))
          .hasToString("{\"f" + i + "\":1.5,\"n\":[0," + i + "],\"t\":\"t" + i + "\"}");
    }
  }

  @Test
  void theModeIsForLife() throws Exception {
    create("fixed", "{}");
    assertThat(refused("PUT", "/fixed/_settings", "{\"index.mapping.source.mode\":\"stored\"}"))
        .contains("index.mapping.source.mode");
    assertThat(refused("PUT", "/bogus", "{\"settings\":{\"index.mapping.source.mode\":\"bogus\"}}"))
        .contains("bogus");
    assertThat(
            refused(
                "PUT",
                "/bogus",
                """
                {"mappings":{"properties":{"k":{"type":"keyword","synthetic_source_keep":"x"}}}}\
                """))
        .contains("Unknown synthetic_source_keep value [x]");
  }

  @Test
  void aDisabledSourceIsNotShown() throws Exception {
    JsonNode _ =
        node.ok("PUT", "/disabled", "{\"settings\":{\"index.mapping.source.mode\":\"disabled\"}}");
    JsonNode _ = node.ok("PUT", "/disabled/_doc/1", "{\"a\":1}");
    JsonNode found = node.ok("GET", "/disabled/_doc/1", "");
    assertThat(found.path("found").asBoolean()).isTrue();
    assertThat(found.has("_source")).isFalse();
  }
}
