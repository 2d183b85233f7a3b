package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Runtime fields whose values a script makes, over HTTP.
final class ScriptedFieldsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static final String RUNTIME =
      """
      {"long2": {"type": "long", "script": "for (n in doc['n']) emit(n * 2)"},
       "half": {"type": "double", "script": {"source": "if (doc['n'].size() > 0) emit(doc['n'].value / params.by)",
         "params": {"by": 2.0}}},
       "big": {"type": "boolean", "script": "emit(doc['n'].size() > 0 && doc['n'].value > 2)"},
       "next": {"type": "date", "script": "if (doc['d'].size() > 0) emit(doc['d'].value.plusDays(1).toInstant().toEpochMilli())"},
       "parsed": {"type": "date", "format": "yyyy/MM/dd", "script": "emit(parse('2020/01/02'))"},
       "addr": {"type": "ip", "script": "if (doc['n'].size() > 0) emit('10.0.0.' + doc['n'].value)"},
       "up": {"type": "keyword", "script": "for (k in doc['k']) emit(k.toUpperCase())"},
       "place": {"type": "geo_point", "script": "if (doc['g'].size() > 0) emit(doc['g'].lat + 1, doc['g'].lon)"},
       "fromsource": {"type": "keyword", "script": "if (params._source.t != null) emit(params._source.t)"},
       "nested_use": {"type": "long", "script": "if (doc['long2'].size() > 0) emit(doc['long2'].value + 1)"},
       "both": {"type": "composite", "script": "if (doc['n'].size() > 0) { emit('a', doc['n'].value); emit(['b': 'x' + doc['n'].value, 'c': 1.5]) }",
         "fields": {"a": {"type": "long"}, "b": {"type": "keyword"}, "c": {"type": "double"}}},
       "fails": {"type": "long", "script": "emit(doc['n'].value)"},
       "goeson": {"type": "long", "script": "emit(doc['n'].value)", "on_script_error": "continue"},
       "failsk": {"type": "keyword", "script": "emit(doc['k'].value.substring(0, doc['n'].size()))"}}
      """;

  @BeforeAll
  static void fill() throws Exception {
    ObjectNode mapping =
        Json.parseObject(
            """
            {"settings": {"number_of_shards": 1},
             "mappings": {"properties": {"n": {"type": "long"}, "d": {"type": "date"},
              "k": {"type": "keyword"}, "g": {"type": "geo_point"}}}}\
            """);
    ((ObjectNode) mapping.get("mappings")).set("runtime", Json.parse(RUNTIME));
    JsonNode _ = node.ok("PUT", "/goods", mapping.toString());
    JsonNode _ =
        node.ok(
            "POST",
            "/goods/_bulk?refresh=true",
            """
            {"index":{"_id":"1"}}
            {"n":[3,1],"d":"2020-01-02T03:04:05Z","k":"a","g":"10,20","t":"told"}
            {"index":{"_id":"2"}}
            {"n":5,"d":"2021-01-01","k":["b","c"]}
            {"index":{"_id":"3"}}
            {"k":"z"}
            """);
  }

  private static List<String> ids(JsonNode answer) {
    List<String> ids = new ArrayList<>();
    answer.at("/hits/hits").forEach(hit -> ids.add(hit.path("_id").asText()));
    return ids;
  }

  private static JsonNode search(String body) throws Exception {
    return node.ok("POST", "/goods/_search", body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"term":{"long2":6}}                                   | 1
          {"terms":{"long2":[2,10]}}                             | 1,2
          {"range":{"long2":{"gte":3}}}                          | 1,2
          {"range":{"half":{"lt":1}}}                            | 1
          {"term":{"big":true}}                                  | 2
          {"term":{"big":false}}                                 | 1,3
          {"range":{"next":{"gte":"2021-01-02"}}}                | 2
          {"term":{"parsed":"2020/01/02"}}                       | 1,2,3
          {"term":{"addr":"10.0.0.5"}}                           | 2
          {"term":{"addr":"10.0.0.0/30"}}                        | 1
          {"term":{"up":"C"}}                                    | 2
          {"prefix":{"up":"A"}}                                  | 1
          {"wildcard":{"up":"*Z*"}}                              | 3
          {"exists":{"field":"up"}}                              | 1,2,3
          {"exists":{"field":"addr"}}                            | 1,2
          {"exists":{"field":"half"}}                            | 1,2
          {"exists":{"field":"place"}}                           | 1
          {"bool":{"must_not":{"exists":{"field":"long2"}}}}     | 3
          {"geo_distance":{"distance":"1km","place":"11,20"}}    | 1
          {"match":{"fromsource":"told"}}                        | 1
          {"term":{"nested_use":11}}                             | 2
          {"term":{"both.a":5}}                                  | 2
          {"term":{"both.b":"x1"}}                               | 1
          {"range":{"both.c":{"gte":1}}}                         | 1,2
          {"exists":{"field":"goeson"}}                          | 1,2
          {"bool":{"filter":[{"term":{"k":"b"}},{"term":{"fails":5}}]}}       | 2
          {"bool":{"filter":[{"term":{"k":"b"}},{"exists":{"field":"failsk"}}]}} | 2
          {"query_string":{"query":"long2:>=6"}}                 | 1,2
          """)
  void queriesFindThem(String query, String expected) throws Exception {
    JsonNode answer = search("{\"query\":" + query + ",\"sort\":[\"_doc\"],\"_source\":false}");
    assertThat(String.join(",", ids(answer))).isEqualTo(expected);
  }

  @Test
  void theyAreSortedShownAndCounted() throws Exception {
    JsonNode sorted =
        search(
            """
            {"sort": [{"long2": {"order": "desc", "missing": "_last"}}, {"up": "asc"}],
             "fields": ["long2", "half", "big", "next", "parsed", "addr", "up", "place", "both.*"],
             "docvalue_fields": ["nested_use"], "_source": false,
             "aggs": {"ups": {"terms": {"field": "up"}}, "sum": {"sum": {"field": "long2"}},
               "byday": {"date_histogram": {"field": "next", "calendar_interval": "year"}},
               "avg": {"avg": {"field": "both.c"}}, "ips": {"cardinality": {"field": "addr"}}}}
            """);
    assertThat(ids(sorted)).containsExactly("2", "1", "3");
    assertThat(sorted.at("/hits/hits/1/fields"))
        .isEqualTo(
            Json.parse(
                """
                {"long2": [2, 6], "half": [0.5], "big": [false],
                 "next": ["2020-01-03T03:04:05.000Z"], "parsed": ["2020/01/02"],
                 "addr": ["10.0.0.1"], "up": ["A"],
                 "place": [{"coordinates": [19.99999998137355, 10.999999972991645], "type": "Point"}],
                 "both.a": [1], "both.b": ["x1"], "both.c": [1.5], "nested_use": [3]}
                """));
    assertThat(sorted.at("/aggregations/ups/buckets")).hasSize(4);
    assertThat(sorted.at("/aggregations/ups/buckets/0/key").asText()).isEqualTo("A");
    assertThat(sorted.at("/aggregations/sum/value").asDouble()).isEqualTo(18);
    assertThat(sorted.at("/aggregations/byday/buckets")).hasSize(2);
    assertThat(sorted.at("/aggregations/avg/value").asDouble()).isEqualTo(1.5);
    assertThat(sorted.at("/aggregations/ips/value").asInt()).isEqualTo(2);
  }

  /// A failure is that of the documents that are asked: 3 has no `n`.
  @Test
  void aScriptThatFailsFailsTheSearchThatAsks() throws Exception {
    HttpResponse<String> all =
        node.call("POST", "/goods/_search", "{\"query\":{\"range\":{\"fails\":{\"gte\":0}}}}");
    assertThat(all.statusCode()).isEqualTo(400);
    assertThat(Json.parse(all.body()).at("/error/root_cause/0/type").asText())
        .isEqualTo("script_exception");
    JsonNode nothing =
        Json.parse(
                node.call(
                        "POST",
                        "/goods/_search",
                        "{\"query\":{\"script\":{\"script\":\"def x = null; return x.y > 1\"}}}")
                    .body())
            .path("error");
    assertThat(nothing.at("/root_cause/0/type").asText()).isEqualTo("script_exception");
    assertThat(nothing.at("/root_cause/0/script_stack/0").asText()).isEqualTo("return x.y > 1");
    assertThat(nothing.at("/failed_shards/0/reason/caused_by/type").asText())
        .isEqualTo("null_pointer_exception");
    HttpResponse<String> terms =
        node.call(
            "POST", "/goods/_search", "{\"aggs\":{\"t\":{\"terms\":{\"field\":\"failsk\"}}}}");
    assertThat(terms.statusCode()).isEqualTo(400);
    assertThat(
            search(
                    "{\"query\":{\"exists\":{\"field\":\"d\"}},\"aggs\":{\"t\":{\"sum\":"
                        + "{\"field\":\"fails\"}}}}")
                .at("/aggregations/t/value")
                .asInt())
        .isEqualTo(6);
  }

  @Test
  void requestsBringTheirOwn() throws Exception {
    JsonNode answer =
        search(
            """
            {"runtime_mappings": {
               "ip": {"type": "ip", "script": "def found = grok('%{IP:client} %{WORD:verb}').extract(params._source.t + ' 10.1.2.3 GET'); if (found != null) emit(found.client)"},
               "cut": {"type": "keyword", "script": "emit(dissect('%{a}-%{b}').extract('x-y').b)"},
               "n": {"type": "keyword", "script": "emit('of ' + params._source.n)"},
               "thrice": {"type": "long", "script": {"source": "emit(params.n)", "params": {"n": 3}}}},
             "query": {"term": {"n": "of 5"}}, "fields": ["n", "thrice", "ip", "cut"], "_source": false}
            """);
    assertThat(ids(answer)).containsExactly("2");
    assertThat(answer.at("/hits/hits/0/fields"))
        .isEqualTo(
            Json.parse("{\"ip\":[\"10.1.2.3\"],\"cut\":[\"y\"],\"n\":[\"of 5\"],\"thrice\":[3]}"));
    JsonNode caps = node.ok("POST", "/goods/_field_caps?fields=both.a,up", "{}");
    assertThat(caps.at("/fields/both.a/long/searchable").asBoolean()).isTrue();
    assertThat(caps.at("/fields/up/keyword/aggregatable").asBoolean()).isTrue();
  }

  @Test
  void theMappingShowsThem() throws Exception {
    JsonNode runtime = node.ok("GET", "/goods/_mapping", "").at("/goods/mappings/runtime");
    assertThat(runtime.get("half"))
        .isEqualTo(
            Json.parse(
                """
                {"type": "double", "script": {"source":
                  "if (doc['n'].size() > 0) emit(doc['n'].value / params.by)",
                  "lang": "painless", "params": {"by": 2.0}}}
                """));
    assertThat(runtime.at("/both/fields/a/type").asText()).isEqualTo("long");
    assertThat(runtime.has("both.a")).isFalse();
    assertThat(runtime.at("/goeson/on_script_error").asText()).isEqualTo("continue");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"r":{"type":"long","script":"emit(1.5)"}}                          | Cannot cast from [double] to [long].
          {"r":{"type":"long","script":"emit("}}                              | compile error
          {"r":{"type":"long","script":"for (int i = 0; i < 101; ++i) emit(i)"}} | Runtime field [r] is emitting [101] values while the maximum number of values allowed is [100]
          {"r":{"type":"long","script":"emit(doc['r'].value)"}}               | Cyclic dependency detected while resolving runtime fields: r -> r
          {"r":{"type":"long","script":"emit(doc['s'].value)"},"s":{"type":"keyword","script":"emit('' + doc['r'].value)"}} | Cyclic dependency detected while resolving runtime fields: r -> s -> r
          {"r":{"type":"ip","script":"emit('no address')"}}                   | 'no address' is not an IP string literal.
          {"r":{"type":"long","script":{"id":"x"}}}                           | unable to find script [x]
          {"r":{"type":"long","script":"emit(1)","on_script_error":"maybe"}}  | accepted values are [fail, continue]
          {"r":{"type":"composite","script":"emit('a', 1)"}}                  | composite runtime field [r] must declare its [fields]
          {"r":{"type":"long","script":{"source":"1","lang":"expression"}}}   | expression
          """)
  void whatIsWrongIsSaid(String runtime, String reason) throws Exception {
    HttpResponse<String> answer =
        node.call(
            "POST",
            "/goods/_search",
            "{\"runtime_mappings\":" + runtime + ",\"query\":{\"exists\":{\"field\":\"r\"}}}");
    assertThat(answer.statusCode()).as(answer.body()).isBetween(400, 404);
    assertThat(answer.body()).contains(reason);
  }

  @Test
  void aListThatACompositeEmitsCountsAsWhatIsInIt() throws Exception {
    HttpResponse<String> answer =
        node.call(
            "POST",
            "/goods/_search",
            """
            {"runtime_mappings":{"r":{"type":"composite","fields":{"a":{"type":"keyword"}},
             "script":"def l = []; for (int i = 0; i < 101; ++i) l.add('' + i); emit('a', l)"}},
             "query":{"exists":{"field":"r.a"}}}
            """);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains("is emitting [101] values").contains("allowed is [100]");
  }
}
