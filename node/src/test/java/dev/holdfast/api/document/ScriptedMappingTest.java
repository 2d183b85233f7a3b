package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Mapped fields whose values a script makes when a document is indexed.
final class ScriptedMappingTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void scriptsMakeTheValues() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/made",
            """
            {"mappings": {"properties": {
              "n": {"type": "long"}, "k": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
              "twice": {"type": "integer", "script": "for (v in doc['n']) emit(v * 2)"},
              "sum": {"type": "double", "script": {"source": "double s = params.from; for (v in doc['twice']) s += v; emit(s)", "params": {"from": 0.5}}},
              "low": {"type": "keyword", "script": "emit(doc['k.raw'].value.toLowerCase())"},
              "day": {"type": "date", "format": "yyyy", "script": "emit(1600000000000L)"},
              "big": {"type": "boolean", "script": "emit(doc['n'].value > 2)"},
              "addr": {"type": "ip", "script": "emit('10.0.0.' + params._source.n[0])"},
              "at": {"type": "geo_point", "script": "emit(10.0, 20.0)"},
              "may": {"type": "long", "script": "emit(1 / (doc['n'].value - 3))", "on_script_error": "continue"}}}}
            """);
    JsonNode _ =
        node.ok(
            "POST",
            "/made/_bulk?refresh=true",
            """
            {"index":{"_id":"1"}}
            {"n":[3,7],"k":"ABC"}
            {"index":{"_id":"2"}}
            {"n":[1],"k":"D"}
            """);
    JsonNode hits =
        node.ok(
                "POST",
                "/made/_search",
                """
                {"sort": ["_doc"], "fields": ["twice", "sum", "low", "day", "big", "addr", "may"],
                 "docvalue_fields": [{"field": "day", "format": "epoch_millis"}], "_source": false}
                """)
            .at("/hits/hits");
    assertThat(hits.at("/0/fields"))
        .isEqualTo(
            Json.parse(
                """
                {"twice": [6, 14], "sum": [20.5], "low": ["abc"], "day": ["2020"], "big": [true],
                 "addr": ["10.0.0.3"]}
                """));
    assertThat(hits.at("/0/_ignored")).isEqualTo(Json.parse("[\"may\"]"));
    assertThat(hits.at("/1/fields/may")).isEqualTo(Json.parse("[0]"));
    JsonNode found =
        node.ok(
            "POST",
            "/made/_search",
            """
            {"query": {"bool": {"filter": [{"term": {"twice": 14}}, {"term": {"low": "abc"}},
              {"geo_distance": {"distance": "1km", "at": "10,20"}}, {"term": {"big": true}},
              {"range": {"day": {"gt": 1599999999999, "lt": 1600000000001, "format": "epoch_millis"}}},
              {"term": {"addr": "10.0.0.0/8"}}]}}}
            """);
    assertThat(found.at("/hits/total/value").asInt()).isEqualTo(1);
    assertThat(
            node.ok("GET", "/made/_mapping", "")
                .at("/made/mappings/properties/twice/script/lang")
                .asText())
        .isEqualTo("painless");
  }

  @Test
  void settingsLimitWhatIsCompiled() throws Exception {
    String counted =
        "/nodes/"
            + node.ok("GET", "/_nodes/stats/script", "").at("/nodes").fieldNames().next()
            + "/script";
    JsonNode before = node.ok("GET", "/_nodes/stats/script", "").at(counted);
    JsonNode _ = node.ok("PUT", "/limited/_doc/1?refresh=true", "{\"n\":1}");
    JsonNode _ =
        node.ok(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"script.max_compilations_rate\":\"1/1d\",\"script.max_size_in_bytes\":20}}");
    try {
      String search = "{\"script_fields\":{\"f\":{\"script\":\"%s\"}}}";
      JsonNode _ = node.ok("POST", "/limited/_search", search.formatted("10101"));
      JsonNode _ = node.ok("POST", "/limited/_search", search.formatted("10101"));
      HttpResponse<String> second =
          node.call("POST", "/limited/_search", search.formatted("20202"));
      assertThat(second.statusCode()).isEqualTo(429);
      assertThat(second.body())
          .contains("Too many dynamic script compilations within, max: [1/1d]");
      HttpResponse<String> large =
          node.call("POST", "/limited/_search", search.formatted("1 + 2 + 3 + 4 + 5 + 6"));
      assertThat(large.statusCode()).isEqualTo(400);
      assertThat(large.body()).contains("exceeded max allowed inline script size in bytes [20]");
      JsonNode after = node.ok("GET", "/_nodes/stats/script", "").at(counted);
      assertThat(after.path("compilations").asLong())
          .isEqualTo(before.path("compilations").asLong() + 1);
      assertThat(after.path("compilation_limit_triggered").asLong())
          .isGreaterThan(before.path("compilation_limit_triggered").asLong());
      assertThat(
              node.call(
                      "PUT",
                      "/_cluster/settings",
                      "{\"persistent\":{\"script.max_compilations_rate\":\"often\"}}")
                  .statusCode())
          .isEqualTo(400);
    } finally {
      JsonNode _ =
          node.ok(
              "PUT",
              "/_cluster/settings",
              "{\"persistent\":{\"script.max_compilations_rate\":null,\"script.max_size_in_bytes\":null}}");
    }
  }

  @Test
  void scriptFieldsAreFew() throws Exception {
    JsonNode _ = node.ok("PUT", "/few", "{\"settings\":{\"index.max_script_fields\":1}}");
    JsonNode _ = node.ok("PUT", "/few/_doc/1?refresh=true", "{\"n\":1}");
    String one = "\"%s\":{\"script\":\"1\"}";
    JsonNode _ =
        node.ok("POST", "/few/_search", "{\"script_fields\":{" + one.formatted("a") + "}}");
    HttpResponse<String> two =
        node.call(
            "POST",
            "/few/_search",
            "{\"script_fields\":{" + one.formatted("a") + "," + one.formatted("b") + "}}");
    assertThat(two.statusCode()).isEqualTo(400);
    assertThat(two.body())
        .contains(
            "Trying to retrieve too many script_fields. Must be less than or equal to: [1] but was"
                + " [2].");
  }

  @Test
  void whatDocumentsMayNotDo() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/strict",
            """
            {"mappings": {"properties": {"n": {"type": "long"},
              "s": {"type": "long", "script": "emit(doc['n'].value)"},
              "a": {"type": "long", "script": "emit(doc['b'].value)", "on_script_error": "continue"},
              "b": {"type": "long", "script": "emit(doc['a'].value)", "on_script_error": "continue"}}}}
            """);
    HttpResponse<String> given = node.call("PUT", "/strict/_doc/1", "{\"n\":1,\"s\":2}");
    assertThat(given.statusCode()).isEqualTo(400);
    assertThat(given.body())
        .contains("Cannot index data directly into a field with a [script] parameter");
    HttpResponse<String> fails = node.call("PUT", "/strict/_doc/1", "{}");
    assertThat(fails.statusCode()).isEqualTo(400);
    assertThat(Json.parse(fails.body()).at("/error/type").asText())
        .isEqualTo("document_parsing_exception");
    assertThat(fails.body()).contains("Error executing script on field [s]", "script_exception");
    JsonNode _ = node.ok("PUT", "/strict/_doc/1?refresh=true", "{\"n\":1}");
    JsonNode answer = node.ok("POST", "/strict/_search", "{\"query\":{\"term\":{\"s\":1}}}");
    assertThat(answer.at("/hits/hits/0/_ignored")).isEqualTo(Json.parse("[\"a\",\"b\"]"));
    HttpResponse<String> changed =
        node.call(
            "PUT",
            "/strict/_mapping",
            "{\"properties\":{\"s\":{\"type\":\"long\",\"script\":\"emit(2)\"}}}");
    assertThat(changed.statusCode()).isEqualTo(400);
    assertThat(changed.body()).contains("Cannot update parameter [script]");
  }

  @Test
  void anUpdateDeletes() throws Exception {
    JsonNode _ = node.ok("PUT", "/going/_doc/1", "{\"n\":1}");
    JsonNode _ = node.ok("PUT", "/going/_doc/2", "{\"n\":2}");
    String script = "{\"script\":\"ctx.op = 'delete'; ctx._source.n = 7\"}";
    assertThat(node.ok("POST", "/going/_update/1", script).path("result").asText())
        .isEqualTo("deleted");
    JsonNode bulk =
        node.ok(
            "POST", "/going/_bulk?refresh=true", "{\"update\":{\"_id\":\"2\"}}\n" + script + "\n");
    assertThat(bulk.at("/items/0/update/result").asText()).isEqualTo("deleted");
    assertThat(node.call("GET", "/going/_doc/1", "").statusCode()).isEqualTo(404);
    assertThat(node.ok("GET", "/going/_count", "").path("count").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ctx.foo = 1                 | unexpected metadata key [foo] with value [1]
          ctx._id = 'other'           | _id cannot be updated
          ctx._index = 'other'        | _index cannot be updated
          ctx._version = 7            | _version cannot be updated
          ctx._routing = 'r'          | _routing cannot be updated
          ctx.remove('_id')           | _id cannot be removed
          ctx._source = 1             | [_source] must be a map
          ctx.op = 'create'           | [op] must be one of delete, index, none, noop, not [create]
          """)
  void anUpdateChangesOnlyWhatIsRead(String script, String reason) throws Exception {
    JsonNode _ = node.ok("PUT", "/updated/_doc/1", "{\"n\":1}");
    HttpResponse<String> answer =
        node.call("POST", "/updated/_update/1", "{\"script\":\"" + script + "\"}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(reason);
    assertThat(node.ok("GET", "/updated/_doc/1", "").path("_source"))
        .isEqualTo(Json.parse("{\"n\":1}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"type":"long","script":"emit(1)","null_value":1}   | Field [null_value] cannot be set in conjunction with field [script]
          {"type":"long","script":"emit('x')"}                | compile error
          {"type":"text","script":"emit('x')"}                | unknown parameter [script] on mapper [f] of type [text]
          {"type":"long","script":"emit(1)","index":false,"doc_values":false} | Cannot define script on field with index:false and doc_values:false
          {"type":"long","on_script_error":"fail"}            | Field [on_script_error] requires field [script] to be configured
          {"type":"keyword","script":"emit('1')","copy_to":"x"} | Cannot define multifields
          {"type":"nested","properties":{"x":{"type":"long","script":"emit(1)"}}} | nested object
          """)
  void whatIsNoMapping(String field, String reason) throws Exception {
    HttpResponse<String> answer =
        node.call("PUT", "/refused", "{\"mappings\":{\"properties\":{\"f\":" + field + "}}}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(reason);
  }
}
