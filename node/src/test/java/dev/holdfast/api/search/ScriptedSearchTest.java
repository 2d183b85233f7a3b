package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Scripts over HTTP: in searches, updates and pipelines.
final class ScriptedSearchTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/goods",
            """
            {"mappings": {"properties": {"n": {"type": "long"}, "d": {"type": "date"},
              "k": {"type": "keyword"}, "x": {"type": "double"}, "g": {"type": "geo_point"},
              "b": {"type": "boolean"}, "u": {"type": "unsigned_long"}, "i": {"type": "ip"}}}}\
            """);
    JsonNode _ =
        node.ok(
            "POST",
            "/goods/_bulk?refresh=true",
            """
            {"index":{"_id":"1"}}
            {"n":[3,1],"d":"2020-01-02T03:04:05Z","k":"a","x":1.5,"g":"10,20","b":true,"t":"only in the source","u":18446744073709551615,"i":"10.0.0.1"}
            {"index":{"_id":"2"}}
            {"n":5,"d":"2021-01-01","k":["b","c"],"x":2.5,"b":false}
            {"index":{"_id":"3"}}
            {"k":"z"}
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          doc['n'].value                          | 1
          doc['n'].size()                         | 2
          doc['n'][1]                             | 3
          doc['d'].value.year                     | 2020
          doc['d'].value                          | 2020-01-02T03:04:05.000Z
          doc['k'].value + '!'                    | a!
          doc['x'].value * 2                      | 3.0
          doc['b'].value ? 'yes' : 'no'           | yes
          Math.round(doc['g'].lat)                | 10
          doc['g'].arcDistance(10, 20) < 1        | true
          doc.containsKey('nope')                 | false
          field('n').get(0)                       | 1
          field('nope').get(7)                    | 7
          $('x', 0) + 1                           | 2.5
          doc['u'].value                          | -1
          Long.divideUnsigned(doc['u'].value, 10) | 1844674407370955161
          $('u', 0) + 1                           | 0
          field('u').asBigInteger(BigInteger.ONE) | 18446744073709551615
          field('m').asBigInteger(BigInteger.ONE) | 1
          field('i').asString('none')             | 10.0.0.1
          field('i').asString(1, 'none')          | none
          params._source.t                        | only in the source
          params.given                            | 8
          """)
  void readDocuments(String source, String expected) throws Exception {
    JsonNode hit =
        node.ok(
                "POST",
                "/goods/_search",
                "{\"query\":{\"ids\":{\"values\":[\"1\"]}},\"script_fields\":{\"f\":{\"script\":{\"source\":\""
                    + source
                    + "\",\"params\":{\"given\":8}}}}}")
            .at("/hits/hits/0");

    assertThat(hit.at("/fields/f/0").asText()).isEqualTo(expected);
    assertThat(hit.has("_source")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"query":{"script":{"script":"doc['n'].size() > 0 && doc['n'].value > 2"}}} | 2
          {"query":{"script_score":{"query":{"exists":{"field":"x"}},"script":"doc['x'].value + _score"}}} | 2,1
          {"query":{"function_score":{"query":{"exists":{"field":"x"}},"script_score":{"script":"10 - doc['x'].value"},"boost_mode":"replace"}}} | 1,2
          {"sort":{"_script":{"type":"number","order":"desc","script":"doc['n'].empty ? 100 : doc['n'].value"}}} | 3,2,1
          {"sort":{"_script":{"type":"string","script":"doc['k'].value == 'a' ? 'y' : doc['k'].value"}}} | 2,1,3
          {"query":{"script_score":{"query":{"match_all":{}},"script":"doc['x'].empty ? 1 : 1.0 / 0"}}} | 1,2,3
          {"query":{"terms_set":{"k":{"terms":["b","c","z"],"minimum_should_match_script":{"source":"doc['n'].size() + 1"}}}}} | 2,3
          """)
  void choosesAndOrders(String body, String ids) throws Exception {
    StringBuilder found = new StringBuilder();
    for (JsonNode hit : node.ok("POST", "/goods/_search", body).at("/hits/hits")) {
      found.append(found.isEmpty() ? "" : ",").append(hit.path("_id").asText());
    }
    assertThat(found.toString()).isEqualTo(ids);
  }

  @Test
  void computesOfBuckets() throws Exception {
    JsonNode buckets =
        node.ok(
                "POST",
                "/goods/_search",
                """
                {"size":0,"aggs":{"k":{"terms":{"field":"k"},"aggs":{"s":{"sum":{"field":"x"}},"gone":{"avg":{"field":"nope"}},
                  "twice":{"bucket_script":{"buckets_path":{"s":"s"},"script":"params.s * 2"}},
                  "kept":{"bucket_selector":{"buckets_path":{"s":"s","gone":"gone"},"script":"params.s > 2"}}}}}}
                """)
            .at("/aggregations/k/buckets");

    assertThat(buckets).hasSize(2);
    assertThat(buckets.at("/0/twice/value").asDouble()).isEqualTo(5);
  }

  @Test
  void makesFieldsOfTopHits() throws Exception {
    JsonNode hit =
        node.ok(
                "POST",
                "/goods/_search",
                """
                {"size":0,"query":{"ids":{"values":["2"]}},"aggs":{"t":{"top_hits":{"size":1,
                  "script_fields":{"twice":{"script":"doc['n'].value * 2"}}}}}}
                """)
            .at("/aggregations/t/hits/hits/0");

    assertThat(hit.path("fields").toString()).isEqualTo("{\"twice\":[10]}");
    assertThat(hit.has("_source")).isFalse();
  }

  @Test
  void runsWhatIsStored() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/_scripts/add/update",
            "{\"script\":{\"lang\":\"painless\",\"source\":\"ctx._source.n += params.by\"}}");
    JsonNode _ = node.ok("PUT", "/counts/_doc/1", "{\"n\":1}");

    JsonNode _ =
        node.ok("POST", "/counts/_update/1", "{\"script\":{\"id\":\"add\",\"params\":{\"by\":4}}}");
    JsonNode _ =
        node.ok(
            "POST",
            "/counts/_bulk?refresh=true",
            """
            {"update":{"_id":"1"}}
            {"script":{"id":"add","params":{"by":5}}}
            {"update":{"_id":"2"}}
            {"scripted_upsert":true,"script":{"source":"ctx._source.n = ctx.op"},"upsert":{}}
            """);
    JsonNode _ =
        node.ok(
            "POST",
            "/counts/_update_by_query?refresh=true",
            "{\"script\":\"if (ctx._id == '2') { ctx.op = 'delete' } else { ctx._source.n *= 2"
                + " }\"}");

    assertThat(node.ok("GET", "/counts/_doc/1", "").at("/_source/n").asInt()).isEqualTo(20);
    assertThat(node.ok("GET", "/counts/_count", "").path("count").asInt()).isEqualTo(1);
  }

  @Test
  void changesDocumentsOnTheirWayIn() throws Exception {
    JsonNode docs =
        node.ok(
                "POST",
                "/_ingest/pipeline/_simulate",
                """
                {"pipeline":{"processors":[
                  {"script":{"source":"ctx.sum = ctx.a + params.p; ctx._index = 'elsewhere'","params":{"p":2}}},
                  {"set":{"if":"ctx.a > 1","field":"big","value":true}}]},
                 "docs":[{"_source":{"a":1}},{"_source":{"a":2}}]}
                """)
            .path("docs");

    assertThat(docs.at("/0/doc/_source/sum").asInt()).isEqualTo(3);
    assertThat(docs.at("/0/doc/_index").asText()).isEqualTo("elsewhere");
    assertThat(docs.at("/0/doc/_source").has("big")).isFalse();
    assertThat(docs.at("/1/doc/_source/big").asBoolean()).isTrue();
  }

  @Test
  void aScriptThatDoesNotCompileIsNoFailureToIgnore() throws Exception {
    String field = "{\"script_fields\":{\"f\":{\"ignore_failure\":true,\"script\":\"%s\"}}}";

    JsonNode refused = node.refused(400, "POST", "/goods/_search", field.formatted("nope +"));
    JsonNode found =
        node.ok("POST", "/goods/_search", field.formatted("doc['n'].value + doc['d'].value.year"));

    assertThat(refused.toString()).contains("compile error");
    assertThat(found.at("/hits/hits")).hasSize(3);
    assertThat(found.at("/hits/hits/2").has("fields")).as("it fails on this one").isFalse();
  }
}
