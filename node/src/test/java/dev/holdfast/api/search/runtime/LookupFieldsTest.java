package dev.holdfast.api.search.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `lookup` fields: documents of another index among the `fields` of hits.
final class LookupFieldsTest {
  private static final String HOST =
      """
      {"type": "lookup", "target_index": "addresses", "input_field": "ip",
       "target_field": "address", "fetch_fields": ["name", {"field": "since", "format": "yyyy"}]}\
      """;

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/hosts",
            """
            {"aliases": {"addresses": {}}, "mappings": {"properties": {
               "address": {"type": "ip"}, "name": {"type": "keyword"}, "since": {"type": "date"}}}}\
            """);
    JsonNode _ =
        node.ok(
            "PUT",
            "/hosts/_doc/1?refresh=true",
            "{\"address\":\"10.0.0.1\",\"name\":\"one\",\"since\":\"2020-05-06\"}");
    JsonNode _ =
        node.ok("PUT", "/hosts/_doc/2?refresh=true", "{\"address\":\"10.0.0.2\",\"name\":\"two\"}");
    JsonNode _ =
        node.ok(
            "PUT",
            "/lines",
            """
            {"settings": {"number_of_shards": 2}, "mappings": {
               "runtime": {"host": %s},
               "properties": {"ip": {"type": "ip"}, "n": {"type": "long"}}}}\
            """
                .formatted(HOST));
    JsonNode _ =
        node.ok(
            "POST",
            "/lines/_bulk?refresh=true",
            """
            {"index":{"_id":"1"}}
            {"n":1,"ip":"10.0.0.1"}
            {"index":{"_id":"2"}}
            {"n":2,"ip":["10.0.0.2","10.0.0.1"]}
            {"index":{"_id":"3"}}
            {"n":3,"ip":"10.0.0.9"}
            {"index":{"_id":"4"}}
            {"n":4}
            """);
  }

  private static JsonNode hits(String body) throws Exception {
    return node.ok("POST", "/lines/_search", body).at("/hits/hits");
  }

  @Test
  void fieldsShowWhatIsFound() throws Exception {
    JsonNode hits = hits("{\"sort\":[\"n\"],\"_source\":false,\"fields\":[\"host\"]}");

    assertThat(hits.get(0).at("/fields/host"))
        .hasToString("[{\"name\":[\"one\"],\"since\":[\"2020\"]}]");
    assertThat(hits.get(1).at("/fields/host"))
        .hasToString("[{\"name\":[\"two\"]},{\"name\":[\"one\"],\"since\":[\"2020\"]}]");
    assertThat(hits.get(2).at("/fields/host")).isEmpty();
    assertThat(hits.get(3).has("fields")).isFalse();
  }

  @Test
  void aSearchBringsItsOwnAndInnerHitsShowThem() throws Exception {
    JsonNode hits =
        hits(
            """
            {"query": {"term": {"n": 1}}, "fields": ["own"], "_source": false,
             "collapse": {"field": "n", "inner_hits": {"name": "all", "fields": ["own"]}},
             "runtime_mappings": {"own": {"type": "lookup", "target_index": "hosts",
               "input_field": "ip", "target_field": "address", "fetch_fields": ["name"]}}}\
            """);

    assertThat(hits.get(0).at("/fields/own")).hasToString("[{\"name\":[\"one\"]}]");
    assertThat(hits.get(0).at("/inner_hits/all/hits/hits/0/fields/own"))
        .hasToString("[{\"name\":[\"one\"]}]");
  }

  @Test
  void mappingsShowThem() throws Exception {
    assertThat(node.json("/lines/_mapping").at("/lines/mappings/runtime/host"))
        .hasToString(
            "{\"type\":\"lookup\",\"target_index\":\"addresses\",\"input_field\":\"ip\","
                + "\"target_field\":\"address\",\"fetch_fields\":[{\"field\":\"name\"},"
                + "{\"field\":\"since\",\"format\":\"yyyy\"}]}");
    JsonNode caps = node.json("/lines/_field_caps?fields=host").at("/fields/host/lookup");
    assertThat(caps.path("searchable").asBoolean(true)).isFalse();
    assertThat(caps.path("aggregatable").asBoolean(true)).isFalse();
  }

  @Test
  void whatTheyCannotIsRefused() throws Exception {
    String[][] bodies = {
      {"{\"query\":{\"term\":{\"host\":\"x\"}}}", "Cannot search on field [host]"},
      {"{\"aggs\":{\"a\":{\"terms\":{\"field\":\"host\"}}}}", "host"},
      {"{\"sort\":[\"host\"]}", "host"},
      {"{\"fields\":[{\"field\":\"host\",\"format\":\"x\"}]}", "doesn't support formats"},
      {
        "{\"fields\":[\"own\"],\"runtime_mappings\":{\"own\":"
            + HOST.replace("\"ip\"", "\"unknown\"")
            + "}}",
        "No field mapping can be found for the field with name [unknown]"
      },
      {
        "{\"runtime_mappings\":{\"own\":" + HOST.replace("\"ip\"", "\"own\"") + "}}",
        "lookup field [own] can't use input from itself"
      },
      {
        "{\"runtime_mappings\":{\"own\":{\"type\":\"lookup\",\"input_field\":\"ip\"}}}",
        "[target_index] parameter must be specified"
      },
      {
        "{\"runtime_mappings\":{\"own\":" + HOST.replace("\"name\", ", "5, ") + "}}",
        "unexpected value [5] for [fetch_fields] parameter"
      }
    };
    for (String[] body : bodies) {
      assertThat(node.refused(400, "POST", "/lines/_search", body[0]).toString())
          .as(body[0])
          .contains(body[1]);
    }
  }

  @Test
  void anIndexThatIsMissingIsSaid() throws Exception {
    JsonNode refused =
        node.refused(
            404,
            "POST",
            "/lines/_search",
            "{\"fields\":[\"own\"],\"runtime_mappings\":{\"own\":"
                + HOST.replace("addresses", "nowhere")
                + "}}");

    assertThat(refused.at("/error/reason").asText()).contains("failed to fetch lookup fields");
    assertThat(refused.toString()).contains("no such index [nowhere]");
  }
}
