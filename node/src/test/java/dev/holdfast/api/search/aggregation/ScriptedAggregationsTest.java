package dev.holdfast.api.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Aggregations whose values scripts make, over HTTP.
final class ScriptedAggregationsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/sales",
            """
            {"settings": {"number_of_shards": 2},
             "mappings": {"properties": {"n": {"type": "long"}, "d": {"type": "date"},
              "k": {"type": "keyword"}, "g": {"type": "geo_point"}, "t": {"type": "keyword"},
              "v": {"type": "dense_vector", "dims": 2}}}}\
            """);
    JsonNode _ =
        node.ok(
            "POST",
            "/sales/_bulk?refresh=true",
            """
            {"index":{"_id":"1"}}
            {"n":1,"d":"2020-01-02","k":"a","g":"10,20","t":"sale","v":[1,2]}
            {"index":{"_id":"2"}}
            {"n":2,"d":"2020-02-03","k":["a","b"],"g":"11,20","t":"cost","v":[1,2]}
            {"index":{"_id":"3"}}
            {"n":[3,4],"d":"2021-01-01","k":"c","t":"sale","v":[1,2]}
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"sum":{"script":"doc['n'].value * 2"}}                              | /value | 12.0
          {"sum":{"field":"n","script":"_value * 2"}}                          | /value | 20.0
          {"avg":{"field":"n","script":{"source":"_value + params.a","params":{"a":1}}}} | /value | 3.5
          {"max":{"script":{"source":"[1, doc['n'].value, 9]"}}}               | /value | 9.0
          {"min":{"field":"d","script":"_value"}}                              | /value_as_string | 2020-01-02T00:00:00.000Z
          {"stats":{"script":"doc['n'].size()"}}                               | /sum | 4.0
          {"value_count":{"script":"doc['k']"}}                                | /value | 4
          {"cardinality":{"script":"doc['k'].value"}}                          | /value | 2
          {"terms":{"script":"doc['k'].value.toUpperCase()"}}                  | /buckets/0/key | A
          {"terms":{"field":"k","script":"'x' + _value"}}                      | /buckets/0/key | xa
          {"terms":{"script":"doc['n'].value","value_type":"long"}}            | /buckets/2/key | 3
          {"histogram":{"script":"doc['n'].value * 10","interval":10}}         | /buckets/1/key | 20.0
          {"date_histogram":{"script":"doc['d'].value.plusYears(1)","calendar_interval":"year"}} | /buckets/0/key_as_string | 2021-01-01T00:00:00.000Z
          {"range":{"script":"doc['n'].value","ranges":[{"from":2}]}}          | /buckets/0/doc_count | 2
          {"percentiles":{"script":"doc['n'].value","percents":[50]}}          | /values/50.0 | 2.0
          {"weighted_avg":{"value":{"script":"doc['n'].value"},"weight":{"script":"2"}}} | /value | 2.0
          {"multi_terms":{"terms":[{"script":"doc['k'].value"},{"field":"t"}]}} | /buckets/0/key/1 | cost
          {"composite":{"sources":[{"x":{"terms":{"script":"doc['k'].value + '!'"}}}]}} | /buckets/0/key/x | a!
          {"geo_bounds":{"script":"doc['g'].size() > 0 ? doc['g'].value : null"}} | /bounds/top_left/lon | 19.99999998137355
          {"filter":{"term":{"t":"sale"}},"aggs":{"in":{"sum":{"script":"doc['n'].value"}}}} | /in/value | 4.0
          {"terms":{"field":"t","order":{"in":"desc"}},"aggs":{"in":{"max":{"field":"n","script":"-_value"}}}} | /buckets/0/key | sale
          {"max":{"script":"_score + doc['n'].value"}}                         | /value | 4.0
          {"sum":{"script":{"lang":"expression","source":"doc['n'].max() * 2"}}} | /value | 14.0
          {"max":{"script":{"lang":"expression","source":"_score"}}}           | /value | 1.0
          {"avg":{"field":"n","script":{"lang":"expression","source":"_value + a","params":{"a":1}}}} | /value | 3.5
          {"terms":{"field":"nope","script":"_value"}}                         | /buckets | `[]`
          {"scripted_metric":{"init_script":"state.t = []","map_script":"state.t.add(doc['t'].value == 'sale' ? doc['n'].value : -doc['n'].value)","combine_script":"double p = 0; for (t in state.t) { p += t } return p","reduce_script":"double p = 0; for (a in states) { p += a } return p"}} | /value | 2.0
          {"scripted_metric":{"params":{"by":3},"map_script":{"source":"state.n = (state.n ?: 0) + params.by"},"combine_script":"return state","reduce_script":"def all = [:]; for (s in states) { if (s.n != null) { all.n = (all.n ?: 0) + s.n } } return all"}} | /value/n | 9
          {"terms":{"field":"t"},"aggs":{"m":{"scripted_metric":{"map_script":"state.n = (state.n ?: 0) + 1","combine_script":"state.n ?: 0","reduce_script":"int n = 0; for (s in states) n += s; return n"}},"b":{"bucket_script":{"buckets_path":{"m":"m.value"},"script":"params.m * 10"}}}} | /buckets/0/b/value | 20.0
          {"significant_terms":{"field":"k","min_doc_count":1,"script_heuristic":{"script":{"source":"params._subset_freq / params.by","params":{"by":2.0}}}}} | /buckets/0/score | 1.0
          """)
  void valuesAreMadeByScripts(String aggregation, String pointer, String expected)
      throws Exception {
    JsonNode answer =
        node.ok("POST", "/sales/_search?size=0", "{\"aggs\":{\"a\":" + aggregation + "}}");
    JsonNode at = answer.at("/aggregations/a" + pointer);
    assertThat(at.isValueNode() ? at.asText() : at.toString())
        .as(answer.toString())
        .isEqualTo(expected);
  }

  @Test
  void whatDependsOnChanceIsNotKept() throws Exception {
    String random = "{\"aggs\":{\"a\":{\"sum\":{\"script\":\"Math.random()\"}}}}";
    assertThat(
            node.ok("POST", "/sales/_search?size=0&request_cache=true", random)
                .at("/aggregations/a/value")
                .asDouble())
        .isNotEqualTo(
            node.ok("POST", "/sales/_search?size=0&request_cache=true", random)
                .at("/aggregations/a/value")
                .asDouble());
  }

  @Test
  void aSearchOfAReindexNamesTheScriptThatFailed() throws Exception {
    HttpResponse<String> answer =
        node.call(
            "POST",
            "/_reindex",
            "{\"source\":{\"index\":\"sales\",\"query\":{\"script\":{\"script\":"
                + "\"doc['nope'].value > 1\"}}},\"dest\":{\"index\":\"copies\"}}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(Json.parse(answer.body()).at("/error/root_cause/0/type").asText())
        .isEqualTo("script_exception");
  }

  @Test
  void scriptsOfAllAggregationsReadScores() throws Exception {
    JsonNode answer =
        node.ok(
            "POST",
            "/sales/_search?size=0",
            """
            {"query": {"function_score": {"query": {"terms": {"_id": ["1", "3"]}}, "boost_mode": "replace",
              "functions": [{"field_value_factor": {"field": "n", "factor": 2}}]}},
             "aggs": {"terms": {"terms": {"script": "_score"}}, "sum": {"sum": {"script": "_score + 1"}},
              "field": {"sum": {"field": "n", "script": "_value * _score"}},
              "histogram": {"histogram": {"script": "_score", "interval": 2},
                "aggs": {"max": {"max": {"script": "_score"}}}},
              "percentiles": {"percentiles": {"script": "_score", "percents": [100]}}}}\
            """);
    JsonNode found = answer.path("aggregations");
    assertThat(found.at("/terms/buckets").findValuesAsText("key")).containsExactly("2.0", "6.0");
    assertThat(found.at("/sum/value").asDouble()).isEqualTo(10);
    assertThat(found.at("/field/value").asDouble()).isEqualTo(2 + 6 * 3 + 6 * 4);
    assertThat(found.at("/histogram/buckets").findValuesAsText("doc_count"))
        .containsExactly("1", "0", "1");
    assertThat(found.at("/histogram/buckets/2/max/value").asDouble()).isEqualTo(6);
    assertThat(found.at("/percentiles/values/100.0").asDouble()).isEqualTo(6);
  }

  @Test
  void noPatternFindsWhatStandsForAScript() throws Exception {
    JsonNode answer =
        node.ok(
            "POST",
            "/sales/_search",
            "{\"aggs\":{\"a\":{\"sum\":{\"script\":\"1\"}}},\"fields\":[\"*\"],\"_source\":false}");
    assertThat(answer.at("/hits/hits").toString()).doesNotContain("_value_script");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"sum":{"script":"doc['n'].value +"}}        | compile error
          {"terms":{"script":"doc['nope'].value"}}     | No field found
          {"terms":{"script":"def x = [:]; def y = [:]; x.a = y; y.a = x; return x"}} | Iterable object is self-referencing itself (ScriptBytesValues value)
          {"sum":{"field":"v","script":"_value"}} | accessing a vector field's value
          {"sum":{"script":"doc"}} | doc can only be asked for fields by name
          {"terms":{"script":"1 / 0"}}                 | arithmetic_exception
          {"sum":{"script":"doc['nope'].value"}}       | No field found for [nope] in mapping
          {"scripted_metric":{"map_script":"state.n +","combine_script":"1","reduce_script":"1"}} | all shards failed
          {"histogram":{"field":"n","interval":1},"aggs":{"c":{"sum":{"field":"n"}},"s":{"bucket_script":{"buckets_path":{"c":"c"},"script":"params.c.nope()"}}}} | search_phase_execution_exception
          {"matrix_stats":{"script":"1"}}              | script
          {"scripted_metric":{"map_script":"state.n = 1","combine_script":"1"}} | [reduce_script] must not be null: [a]
          {"scripted_metric":{"map_script":"state.x.y = 1","combine_script":"1","reduce_script":"1"}} | null_pointer_exception
          {"scripted_metric":{"map_script":"state.a = doc","combine_script":"1","reduce_script":"1"}} | doc can only be asked for fields by name
          {"scripted_metric":{"map_script":"state.a = state","combine_script":"state","reduce_script":"1"}} | self-referencing
          """)
  void whatIsWrongIsSaid(String aggregation, String reason) throws Exception {
    HttpResponse<String> answer =
        node.call("POST", "/sales/_search?size=0", "{\"aggs\":{\"a\":" + aggregation + "}}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains(reason);
    assertThat(Json.parse(answer.body()).has("error")).isTrue();
  }
}
