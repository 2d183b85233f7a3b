package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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

/// Runtime fields over HTTP: of mappings, of requests, and of documents under `dynamic: runtime`.
final class RuntimeFieldsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/logs",
            """
            {"settings": {"number_of_shards": 2},
             "mappings": {"dynamic": false,
               "runtime": {"k": {"type": "keyword"}, "l": {"type": "long"},
                 "d": {"type": "date", "format": "yyyy/MM/dd"}, "b": {"type": "boolean"},
                 "ip": {"type": "ip"}, "g": {"type": "geo_point"}, "f": {"type": "double"},
                 "shown": {"type": "keyword"}, "o.r": {"type": "long"}},
               "properties": {"m": {"type": "long"}, "shown": {"type": "text"}}}}\
            """);
    JsonNode _ =
        node.ok(
            "POST",
            "/logs/_bulk?refresh=true",
            """
            {"index":{"_id":"1"}}
            {"m":1,"k":"alpha","l":1,"d":"2024/01/02","b":true,"ip":"10.0.0.1","g":"40,10","f":1.5,"shown":"Hello World","o":{"r":7}}
            {"index":{"_id":"2"}}
            {"m":2,"k":["beta","alpha"],"l":["2",3.7],"d":"2024/02/03","b":"false","ip":"10.0.0.2","g":[10.5,41],"f":"2.25","shown":"hello","o":[{"r":8},{"r":9}]}
            {"index":{"_id":"3"}}
            {"m":3,"k":12,"l":"none","d":"2024-01-02","b":"maybe","ip":"999","f":"x","o.r":10}
            """);
    // Another segment, and a document that is replaced.
    JsonNode _ = node.ok("PUT", "/logs/_doc/4?refresh=true", "{\"m\":4,\"k\":\"old\",\"l\":9}");
    JsonNode _ = node.ok("PUT", "/logs/_doc/4?refresh=true", "{\"m\":4,\"k\":\"gamma\",\"l\":9}");
  }

  private static List<String> ids(JsonNode answer) {
    List<String> ids = new ArrayList<>();
    answer.at("/hits/hits").forEach(hit -> ids.add(hit.path("_id").asText()));
    return ids;
  }

  private static JsonNode search(String body) throws Exception {
    return node.ok("POST", "/logs/_search", body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"term":{"k":"alpha"}}                                       | 1,2
          {"term":{"k":{"value":"ALPHA","case_insensitive":true}}}     | 1,2
          {"term":{"k":"old"}}                                         | ``
          {"terms":{"k":["beta","12"]}}                                | 2,3
          {"range":{"k":{"gte":"b","lt":"c"}}}                         | 2
          {"prefix":{"k":"al"}}                                        | 1,2
          {"wildcard":{"k":"*mm*"}}                                    | 4
          {"regexp":{"k":"[b1].+"}}                                    | 2,3
          {"fuzzy":{"k":"alpka"}}                                      | 1,2
          {"exists":{"field":"k"}}                                     | 1,2,3,4
          {"exists":{"field":"l"}}                                     | 1,2,4
          {"exists":{"field":"o"}}                                     | 1,2,3
          {"match":{"k":"alpha beta"}}                                 | ``
          {"match":{"shown":"hello"}}                                  | 2
          {"query_string":{"query":"alpha"}}                           | 1,2
          {"query_string":{"query":"l:[2 TO 5]"}}                      | 2
          {"term":{"l":2}}                                             | 2
          {"range":{"l":{"gt":1}}}                                     | 2,4
          {"terms":{"o.r":[9,10]}}                                     | 2,3
          {"range":{"f":{"gte":2}}}                                    | 2
          {"term":{"b":true}}                                          | 1
          {"term":{"d":"2024/01/02"}}                                  | 1
          {"range":{"d":{"gte":"2024/02/01"}}}                         | 2
          {"term":{"ip":"10.0.0.0/8"}}                                 | 1,2
          {"bool":{"must_not":{"exists":{"field":"ip"}}}}              | 3,4
          {"geo_distance":{"distance":"10km","g":"40,10"}}             | 1
          {"geo_bounding_box":{"g":{"top":42,"left":9,"bottom":40.5,"right":12}}} | 2
          {"geo_shape":{"g":{"shape":{"type":"envelope","coordinates":[[9,42.5],[12,39]]}}}} | 1,2
          """)
  void queriesFindThem(String query, String expected) throws Exception {
    JsonNode answer = search("{\"query\":" + query + ",\"sort\":[\"m\"],\"_source\":false}");
    assertThat(String.join(",", ids(answer))).isEqualTo(expected);
    String counted = "{\"query\":" + query + "}";
    assertThat(node.ok("POST", "/logs/_count", counted).path("count").asInt())
        .isEqualTo(ids(answer).size());
  }

  @Test
  void hitsAreSortedByThem() throws Exception {
    assertThat(ids(search("{\"sort\":[{\"l\":\"desc\"},\"m\"]}")))
        .containsExactly("4", "2", "1", "3");
    assertThat(ids(search("{\"sort\":[{\"k\":{\"order\":\"asc\",\"mode\":\"max\"}},\"m\"]}")))
        .containsExactly("3", "1", "2", "4");
    JsonNode next = search("{\"sort\":[{\"l\":\"desc\"},\"m\"],\"search_after\":[9,4],\"size\":1}");
    assertThat(ids(next)).containsExactly("2");
    assertThat(next.at("/hits/hits/0/sort")).hasToString("[3,2]");
    assertThat(ids(search("{\"sort\":[{\"_geo_distance\":{\"g\":\"41,10.5\"}}],\"size\":2}")))
        .containsExactly("2", "1");
  }

  @Test
  void aggregationsReadThem() throws Exception {
    JsonNode aggregations =
        search(
                """
                {"size": 0, "aggs": {
                  "k": {"terms": {"field": "k"}}, "l": {"terms": {"field": "l"}},
                  "f": {"stats": {"field": "f"}}, "ip": {"terms": {"field": "ip"}},
                  "d": {"date_histogram": {"field": "d", "calendar_interval": "month",
                    "format": "yyyy-MM"}},
                  "none": {"missing": {"field": "b"}}, "distinct": {"cardinality": {"field": "k"}},
                  "some": {"filter": {"term": {"k": "alpha"}},
                    "aggs": {"sum": {"sum": {"field": "l"}}}}}}\
                """)
            .path("aggregations");
    assertThat(aggregations.at("/k/buckets/0")).hasToString("{\"key\":\"alpha\",\"doc_count\":2}");
    assertThat(aggregations.at("/k/buckets").size()).isEqualTo(4);
    assertThat(aggregations.at("/l/buckets").findValuesAsText("key"))
        .containsExactly("1", "2", "3", "9");
    assertThat(aggregations.at("/f/sum").asDouble()).isEqualTo(3.75);
    assertThat(aggregations.at("/ip/buckets").findValuesAsText("key"))
        .containsExactly("10.0.0.1", "10.0.0.2");
    assertThat(aggregations.at("/d/buckets").findValuesAsText("key_as_string"))
        .containsExactly("2024-01", "2024-02");
    assertThat(aggregations.at("/none/doc_count").asInt()).isEqualTo(2);
    assertThat(aggregations.at("/distinct/value").asInt()).isEqualTo(4);
    assertThat(aggregations.at("/some/sum/value").asDouble()).isEqualTo(6);
  }

  @Test
  void hitsShowThem() throws Exception {
    String fields = "[\"k\",\"l\",\"d\",\"b\",\"ip\",\"g\",\"f\",\"shown\",\"o.*\"]";
    JsonNode hits =
        search("{\"sort\":[\"m\"],\"_source\":false,\"fields\":" + fields + "}").at("/hits/hits");
    assertThat(hits.at("/1/fields"))
        .isEqualTo(
            Json.parse(
                """
                {"k": ["alpha", "beta"], "l": [2, 3], "d": ["2024/02/03"], "b": [false],
                 "ip": ["10.0.0.2"], "f": [2.25], "shown": ["hello"], "o.r": [8, 9],
                 "g": [{"type": "Point", "coordinates": [10.5, 41.0]}]}
                """));
    assertThat(hits.at("/2/fields")).isEqualTo(Json.parse("{\"k\":[\"12\"],\"o.r\":[10]}"));
    JsonNode columns =
        search(
            """
            {"sort": ["m"], "_source": false, "size": 1,
             "docvalue_fields": ["l", {"field": "d", "format": "yyyy"}]}\
            """);
    assertThat(columns.at("/hits/hits/0/fields"))
        .isEqualTo(Json.parse("{\"l\":[1],\"d\":[\"2024\"]}"));
  }

  @Test
  void requestsBringFieldsOfTheirOwn() throws Exception {
    String body =
        """
        {"runtime_mappings": {"m": {"type": "keyword"}, "k": {"type": "long"}},
         "query": {"prefix": {"m": "3"}}, "fields": ["m", "k"], "_source": false,
         "aggs": {"x": {"terms": {"field": "m"}}}}\
        """;
    for (int i = 0; i < 2; i++) { // the same segments with other fields before and after
      JsonNode answer = search(body);
      assertThat(ids(answer)).containsExactly("3");
      assertThat(answer.at("/hits/hits/0/fields"))
          .isEqualTo(Json.parse("{\"m\":[\"3\"],\"k\":[12]}"));
      assertThat(answer.at("/aggregations/x/buckets/0/key").isTextual()).isTrue();
      assertThat(ids(search("{\"query\":{\"exists\":{\"field\":\"k\"}}}"))).hasSize(4);
    }
    String lines = "{\"index\":\"logs\"}\n" + Json.parse(body) + "\n";
    assertThat(node.ok("POST", "/_msearch", lines).at("/responses/0/hits/total/value").asInt())
        .isEqualTo(1);
    JsonNode caps =
        node.ok(
            "POST",
            "/logs/_field_caps?fields=m,k,o*",
            "{\"runtime_mappings\":{\"m\":{\"type\":\"keyword\"}}}");
    assertThat(caps.at("/fields/m/keyword/searchable").asBoolean()).isTrue();
    assertThat(caps.at("/fields/k/keyword/aggregatable").asBoolean()).isTrue();
    assertThat(caps.at("/fields/o/object/type").asText()).isEqualTo("object");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"f":{"type":"keyword","script":{"source":"emit(1)"}}}   | compile error
          {"f":{"type":"lookup"}}                                  | [target_index] parameter must be specified
          {"f":{"type":"composite"}}                               | must declare a [script]
          {"f":{"type":"text"}}                                    | does not exist
          {"f":null}                                               | its removal is not supported
          [1]                                                      | Unknown key for a START_ARRAY in [runtime_mappings].
          """)
  void requestsOfOtherKindsAreRefused(String runtime, String reason) throws Exception {
    HttpResponse<String> answer =
        node.call("POST", "/logs/_search", "{\"runtime_mappings\":" + runtime + "}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(Json.parse(answer.body()).findValuesAsText("reason"))
        .as(answer.body())
        .anyMatch(text -> text.contains(reason));
  }

  @Test
  void someRequestsTakeNone() throws Exception {
    String body = "{\"runtime_mappings\":{\"x\":{\"type\":\"long\"}}}";
    assertThat(node.call("POST", "/logs/_count", body).statusCode()).isEqualTo(400);
    assertThat(node.call("POST", "/logs/_explain/1", body).statusCode()).isEqualTo(400);
  }

  @Test
  void otherQuestionsSeeThem() throws Exception {
    JsonNode explained =
        node.ok("POST", "/logs/_explain/1", "{\"query\":{\"term\":{\"k\":\"alpha\"}}}");
    assertThat(explained.path("matched").asBoolean()).isTrue();
    HttpResponse<String> pit = node.call("POST", "/logs/_pit?keep_alive=1m", "");
    String id = Json.parse(pit.body()).path("id").asText();
    for (int i = 0; i < 2; i++) { // its readers must outlive each search
      JsonNode seen =
          node.ok(
              "POST",
              "/_search",
              "{\"pit\":{\"id\":\"" + id + "\"},\"query\":{\"term\":{\"k\":\"gamma\"}}}");
      assertThat(ids(seen)).containsExactly("4");
    }
    JsonNode _ = node.ok("DELETE", "/_pit", "{\"id\":\"" + id + "\"}");
  }

  @Test
  void newFieldsOfDocumentsBecomeRuntimeFields() throws Exception {
    JsonNode _ = node.ok("PUT", "/dynamic", "{\"mappings\":{\"dynamic\":\"runtime\"}}");
    JsonNode _ =
        node.ok(
            "PUT",
            "/dynamic/_doc/1?refresh=true",
            "{\"s\":\"x\",\"o\":{\"l\":5},\"t\":\"2024-01-01\"}");
    assertThat(node.ok("GET", "/dynamic/_mapping", "").at("/dynamic/mappings"))
        .isEqualTo(
            Json.parse(
                """
                {"dynamic": "runtime", "runtime": {"o.l": {"type": "long"},
                  "s": {"type": "keyword"}, "t": {"type": "date"}}}
                """));
    String query =
        "{\"query\":{\"bool\":{\"filter\":[{\"term\":{\"s\":\"x\"}},{\"term\":{\"o.l\":5}}]}}}";
    assertThat(ids(node.ok("POST", "/dynamic/_search", query))).containsExactly("1");
    JsonNode _ = node.ok("PUT", "/dynamic/_mapping", "{\"runtime\":{\"s\":null}}");
    assertThat(ids(node.ok("POST", "/dynamic/_search", query))).isEmpty();
  }

  /// Its parts that doc values have must not be read from the runtime field that hides them.
  @Test
  void aSyntheticSourceHasTheMappedValues() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/synthetic",
            """
            {"settings": {"index.mapping.source.mode": "synthetic"},
             "mappings": {"runtime": {"k": {"type": "long"}},
               "properties": {"k": {"type": "keyword"}}}}\
            """);
    JsonNode _ = node.ok("PUT", "/synthetic/_doc/1?refresh=true", "{\"k\":[\"b\",\"7\"]}");
    JsonNode hits =
        node.ok(
                "POST",
                "/synthetic/_search",
                "{\"query\":{\"term\":{\"k\":7}},\"fields\":[\"k\"],\"sort\":[\"k\"]}")
            .at("/hits/hits/0");
    assertThat(hits.path("_source")).hasToString("{\"k\":[\"7\",\"b\"]}");
    assertThat(hits.path("fields")).hasToString("{\"k\":[7]}");
    assertThat(hits.path("sort")).hasToString("[7]");
  }
}
