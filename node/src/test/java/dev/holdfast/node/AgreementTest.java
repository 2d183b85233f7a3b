package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What `./holdfast oracle` found to differ from Elasticsearch, and does no more.
final class AgreementTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void write() throws Exception {
    node.ok(
        "PUT",
        "/t",
        """
        {"mappings":{"properties":{
          "body":{"type":"text","term_vector":"with_positions_offsets"},
          "place":{"type":"geo_point"},"picture":{"type":"binary"},
          "stamp":{"type":"date_nanos"},"lent":{"type":"date_range"},
          "loose":{"type":"integer","ignore_malformed":true,"null_value":7},
          "same":{"type":"constant_keyword","value":"x"},
          "big":{"type":"unsigned_long"},"length":{"type":"token_count","analyzer":"standard"},
          "topics":{"type":"rank_features"},"kin":{"type":"join","relations":{"a":"b"}},
          "vector":{"type":"dense_vector","dims":2,"similarity":"cosine"},
          "bytes":{"type":"dense_vector","dims":3,"element_type":"byte","index":false},
          "g":{"type":"keyword"},"h":{"type":"keyword"},"n":{"type":"integer"}}}}\
        """);
    node.ok(
        "PUT",
        "/t/_doc/1?refresh=true",
        """
        {"body":["the first words here","then a river and more"],"place":{"lat":46.055,"lon":14.609},
         "picture":"10.0.0.1","stamp":"2020-12-22T01:10:33.266845123Z","loose":"",
         "lent":{"gte":"2020-03-02","lt":"2020-06-07"},"topics":{"sport":3.5},
         "vector":[1,0],"bytes":"true","g":"x","h":"y","n":3}\
        """);
    node.ok("PUT", "/t/_doc/2?refresh=true", "{\"g\":\"x\",\"h\":\"z\",\"n\":120,\"stamp\":1}");
  }

  private static JsonNode search(String body) throws Exception {
    return node.ok("POST", "/t/_search", body);
  }

  private static String refusal(String body) throws Exception {
    JsonNode refused = node.refused(400, "POST", "/t/_search", body);
    return refused.at("/error/root_cause/0/reason").asText();
  }

  @Test
  void fieldsShowWhatTheIndexMeans() throws Exception {
    JsonNode fields =
        search(
                """
                {"query":{"ids":{"values":["1"]}},"_source":false,
                 "docvalue_fields":["place","same"],
                 "fields":["lent","loose",{"field":"stamp","format":"epoch_millis"}]}\
                """)
            .at("/hits/hits/0/fields");

    assertThat(fields.at("/place/0").asText()).isEqualTo("46.054999977350235, 14.6089999191463");
    assertThat(fields.at("/same/0").asText()).isEqualTo("x");
    assertThat(fields.at("/loose/0").asInt()).isEqualTo(7);
    assertThat(fields.at("/stamp/0").asText()).isEqualTo("1608599433266.845123");
    assertThat(fields.at("/lent/0").toString())
        .isEqualTo("{\"gte\":\"2020-03-02T00:00:00.000Z\",\"lt\":\"2020-06-07T00:00:00.000Z\"}");
    JsonNode millis = search("{\"query\":{\"ids\":{\"values\":[\"2\"]}},\"fields\":[\"stamp\"]}");
    assertThat(millis.at("/hits/hits/0/fields/stamp/0").asText())
        .isEqualTo("1970-01-01T00:00:00.001Z");
    assertThat(refusal("{\"docvalue_fields\":[\"pic*\"]}")).contains("[picture]");
    assertThat(refusal("{\"docvalue_fields\":[{\"field\":\"place\",\"format\":\"wkt\"}]}"))
        .contains("does not support custom formats");
  }

  @Test
  void aFragmentHoldsPartsOfOneValueOnly() throws Exception {
    JsonNode hit =
        search(
                """
                {"query":{"match":{"body":"river"}},"highlight":{"fields":{"body":
                  {"type":"fvh","number_of_fragments":0}}}}\
                """)
            .at("/hits/hits/0/highlight/body");

    assertThat(hit.toString()).isEqualTo("[\"then a <em>river</em> and more\"]");
  }

  @Test
  void missingNumbersAreShownAsTheLeastOfTheirType() throws Exception {
    JsonNode hits =
        search("{\"sort\":[{\"big\":\"desc\"},{\"length\":\"desc\"}],\"_source\":false}")
            .at("/hits/hits/0/sort");

    assertThat(hits.toString()).isEqualTo("[0,-2147483648]");
  }

  @Test
  void featuresAreTermsWithWeights() throws Exception {
    JsonNode found = search("{\"query\":{\"term\":{\"topics\":\"sport\"}}}");
    assertThat(found.at("/hits/hits/0/_score").asDouble()).isEqualTo(3.5);
    assertThat(refusal("{\"query\":{\"exists\":{\"field\":\"topics\"}}}"))
        .contains("do not support [exists] queries");
    node.refused(400, "PUT", "/t/_doc/9", "{\"topics\":null}");
  }

  @Test
  void whatMakesNoSenseIsRefused() throws Exception {
    assertThat(
            refusal("{\"query\":{\"knn\":{\"field\":\"vector\",\"query_vector\":[0,0],\"k\":1}}}"))
        .contains("zero magnitude");
    assertThat(refusal("{\"collapse\":{\"field\":\"kin\"}}")).contains("collapse");
    node.refused(
        400,
        "PUT",
        "/m",
        """
        {"mappings":{"properties":{"f":
          {"type":"long","time_series_metric":"gauge","doc_values":false}}}}\
        """);
    node.refused(400, "PUT", "/_index_template/t", "{\"index_patterns\":[]}");
    node.refused(
        400,
        "PUT",
        "/_component_template/c",
        """
        {"template":{"settings":{"analysis":{"filter":{"f":{"type":"nope"}}}}}}\
        """);
    node.refused(400, "POST", "/nothing/_rollover", "{\"conditions\":{\"nope\":1}}");
    node.refused(404, "POST", "/nothing/_rollover", "{\"conditions\":{\"max_docs\":1}}");
  }

  @Test
  void aBackgroundMustContainWhatWasFound() throws Exception {
    String asked =
        """
        {"size":0,"query":{"match_all":{}},"aggs":{"a":{"significant_terms":{"field":"g",
          "min_doc_count":1,"background_filter":{"term":{"h":"y"}},"%s":{}}}}}\
        """;

    assertThat(refusal(asked.formatted("gnd"))).startsWith("subsetFreq > supersetFreq");
    assertThat(search(asked.formatted("jlh")).has("aggregations")).isTrue();
  }

  @Test
  void onlyWhatGrowsNeedsEmptyBuckets() throws Exception {
    String asked =
        """
        {"size":0,"aggs":{"h":{"histogram":{"field":"n","interval":50,"min_doc_count":1},
          "aggs":{"p":{"%s":{"buckets_path":"_count"}}}}}}\
        """;

    assertThat(search(asked.formatted("serial_diff")).at("/aggregations/h/buckets")).hasSize(2);
    assertThat(refusal(asked.formatted("derivative"))).contains("must have min_doc_count of 0");
  }

  @Test
  void metricsOfNanosecondsAreMilliseconds() throws Exception {
    JsonNode metrics =
        search(
                """
                {"size":0,"aggs":{"m":{"max":{"field":"stamp"}},"s":{"sum":{"field":"stamp"}},
                  "r":{"range":{"field":"stamp","ranges":[{"from":2}]}}}}\
                """)
            .get("aggregations");

    assertThat(metrics.at("/m/value").asDouble()).isEqualTo(1608599433266d);
    assertThat(metrics.at("/m/value_as_string").asText()).isEqualTo("2020-12-22T01:10:33.266Z");
    assertThat(metrics.at("/s/value").asDouble()).isEqualTo(1608599433267d);
    assertThat(metrics.at("/r/buckets/0/doc_count").asInt()).isEqualTo(1);
  }

  @Test
  void aBoundThatNobodyKnowsIsMinusOne() throws Exception {
    JsonNode terms =
        search(
            """
            {"size":0,"aggs":{"a":{"multi_terms":{"terms":[{"field":"g"},{"field":"h"}],"size":1,
              "shard_size":1,"order":{"_count":"asc"}}}}}\
            """);

    assertThat(terms.at("/aggregations/a/doc_count_error_upper_bound").asInt()).isEqualTo(-1);
  }

  @Test
  void aNameWithAMinusLeavesOut() throws Exception {
    assertThat(node.json("/t,-t/_search").at("/_shards/total").asInt()).isZero();
    assertThat(node.json("/-t,t/_search").at("/hits/total/value").asInt()).isEqualTo(2);
  }

  @Test
  void flagsThatAreGivenAreShown() throws Exception {
    node.ok(
        "PUT",
        "/shown",
        """
        {"mappings":{"properties":{"f":
          {"type":"short","coerce":true,"ignore_malformed":false},"g":{"type":"short"}}}}\
        """);

    assertThat(node.json("/shown/_mapping").at("/shown/mappings/properties").toString())
        .isEqualTo(
            "{\"f\":{\"type\":\"short\",\"coerce\":true,\"ignore_malformed\":false},"
                + "\"g\":{\"type\":\"short\"}}");
  }

  @Test
  void partsOfAnAnalyserKnowNoGapBetweenTexts() throws Exception {
    JsonNode detail =
        node.ok(
            "POST",
            "/_analyze",
            "{\"tokenizer\":\"standard\",\"text\":[\"a b\",\"c\"],\"explain\":true}");

    assertThat(detail.at("/detail/tokenizer/tokens/2/position").asInt()).isEqualTo(2);
  }

  @Test
  void theValueThatAllDocumentsShareMatchesPatterns() throws Exception {
    node.ok(
        "PUT",
        "/shared",
        "{\"mappings\":{\"properties\":{\"c\":{\"type\":\"constant_keyword\"}}}}");
    assertThat(found("{\"prefix\":{\"c\":\"re\"}}")).isZero();
    node.call("PUT", "/shared/_doc/1?refresh=true", "{\"c\":\"red\"}");

    assertThat(found("{\"prefix\":{\"c\":\"re\"}}")).isEqualTo(1);
    assertThat(found("{\"prefix\":{\"c\":{\"value\":\"RE\",\"case_insensitive\":true}}}"))
        .isEqualTo(1);
    assertThat(found("{\"wildcard\":{\"c\":\"r*d\"}}")).isEqualTo(1);
    assertThat(found("{\"wildcard\":{\"c\":\"*\"}}")).isEqualTo(1);
    assertThat(found("{\"wildcard\":{\"c\":\"b*\"}}")).isZero();
    assertThat(found("{\"regexp\":{\"c\":\"r.d\"}}")).isEqualTo(1);
    assertThat(found("{\"regexp\":{\"c\":\"r\"}}")).isZero();
  }

  @Test
  void theValueThatAllDocumentsShareIsCountedAndSortedBy() throws Exception {
    String mapping =
        "{\"mappings\":{\"properties\":{\"c\":{\"type\":\"constant_keyword\"%s},\"n\":{\"type\":\"integer\"}}}}";
    node.ok("PUT", "/same-a", mapping.formatted(",\"value\":\"red\""));
    node.ok("PUT", "/same-b", mapping.formatted(",\"value\":\"blue\""));
    node.ok("PUT", "/same-c", mapping.formatted(""));
    for (String index : List.of("same-a", "same-b", "same-c")) {
      node.call("PUT", "/" + index + "/_doc/0", "{\"n\":0}");
      node.call("PUT", "/" + index + "/_doc/1?refresh=true", "{\"n\":1}");
    }

    JsonNode answer =
        node.ok(
            "POST",
            "/same-*/_search",
            """
            {"query":{"range":{"n":{"gte":1}}},
             "sort":[{"c":{"order":"desc"}}],"fields":["c"],
             "aggs":{
               "t":{"terms":{"field":"c"},"aggs":{"n":{"sum":{"field":"n"}}}},
               "given":{"terms":{"field":"c","missing":"none","order":{"_key":"desc"}}},
               "pairs":{"multi_terms":{"terms":[{"field":"c"},{"field":"_index"}]}},
               "pages":{"composite":{"size":1,"sources":[
                 {"c":{"terms":{"field":"c","missing_bucket":true}}},{"i":{"terms":{"field":"_index"}}}]}},
               "many":{"cardinality":{"field":"c"}},"indices":{"cardinality":{"field":"_index"}},
               "values":{"value_count":{"field":"c"}},"without":{"missing":{"field":"c"}}}}\
            """);

    assertThat(answer.at("/hits/hits").findValuesAsText("_index"))
        .containsExactly("same-a", "same-b", "same-c");
    assertThat(answer.at("/hits/hits/0/sort/0").asText()).isEqualTo("red");
    assertThat(answer.at("/hits/hits/2/sort/0").isNull()).isTrue();
    assertThat(answer.at("/hits/hits/1/fields/c/0").asText()).isEqualTo("blue");
    assertThat(answer.at("/hits/hits/2/fields/c").isMissingNode()).isTrue();
    JsonNode counted = answer.path("aggregations");
    assertThat(counted.at("/t/buckets").findValuesAsText("key")).containsExactly("blue", "red");
    assertThat(counted.at("/t/buckets/0/n/value").asInt()).isEqualTo(1);
    assertThat(counted.at("/given/buckets").findValuesAsText("key"))
        .containsExactly("red", "none", "blue");
    assertThat(counted.at("/pairs/buckets").findValuesAsText("key_as_string"))
        .containsExactly("blue|same-b", "red|same-a");
    assertThat(counted.at("/pages/after_key"))
        .isEqualTo(Json.parse("{\"c\":null,\"i\":\"same-c\"}"));
    assertThat(counted.at("/many/value").asInt()).isEqualTo(2);
    assertThat(counted.at("/indices/value").asInt()).isEqualTo(3);
    assertThat(counted.at("/values/value").asInt()).isEqualTo(2);
    assertThat(counted.at("/without/doc_count").asInt()).isEqualTo(1);
    node.refused(400, "POST", "/same-a/_search", "{\"aggs\":{\"m\":{\"avg\":{\"field\":\"c\"}}}}");
    node.refused(400, "POST", "/same-a/_search", "{\"collapse\":{\"field\":\"c\"}}");
  }

  @Test
  void theValueThatAllDocumentsShareIsSeenByScriptsAndSuggested() throws Exception {
    node.ok(
        "PUT",
        "/alike",
        "{\"mappings\":{\"properties\":{\"c\":{\"type\":\"constant_keyword\",\"value\":\"red\"}}}}");
    node.call("PUT", "/alike/_doc/1?refresh=true", "{}");

    JsonNode hits =
        node.ok(
            "POST",
            "/alike/_search",
            """
            {"script_fields":{"s":{"script":"doc['c'].value + doc['c'].size() + doc['_index'].value"}},
             "docvalue_fields":["c","_index"]}\
            """);
    String suggest = "/alike/_terms_enum";
    JsonNode begun = node.ok("POST", suggest, "{\"field\":\"c\",\"string\":\"re\"}");
    JsonNode other = node.ok("POST", suggest, "{\"field\":\"c\",\"string\":\"RE\"}");
    JsonNode any =
        node.ok("POST", suggest, "{\"field\":\"c\",\"string\":\"RE\",\"case_insensitive\":true}");
    JsonNode able = node.ok("GET", "/alike/_field_caps?fields=c", "");

    assertThat(hits.at("/hits/hits/0/fields/s/0").asText()).isEqualTo("red1alike");
    assertThat(hits.at("/hits/hits/0/fields/c/0").asText()).isEqualTo("red");
    assertThat(hits.at("/hits/hits/0/fields/_index/0").asText()).isEqualTo("alike");
    assertThat(begun.at("/terms/0").asText()).isEqualTo("red");
    assertThat(other.path("terms")).isEmpty();
    assertThat(any.at("/terms/0").asText()).isEqualTo("red");
    assertThat(able.at("/fields/c/keyword/aggregatable").asBoolean()).isTrue();
  }

  private static int found(String query) throws Exception {
    return node.ok("POST", "/shared/_count", "{\"query\":" + query + "}").at("/count").asInt();
  }

  @Test
  void emptyTextsAreFalseAndNoNumber() throws Exception {
    node.ok(
        "PUT",
        "/emptied",
        "{\"mappings\":{\"properties\":{\"b\":{\"type\":\"boolean\"},\"i\":{\"type\":\"integer\"}}}}");
    node.call("PUT", "/emptied/_doc/1?refresh=true", "{\"b\":\"\",\"i\":\"\"}");
    JsonNode hit =
        node.ok("POST", "/emptied/_search", "{\"fields\":[\"b\",\"i\"]}").at("/hits/hits/0");
    assertThat(hit.at("/fields/b/0").asText()).isEqualTo("false");
    assertThat(hit.at("/fields/i").isMissingNode()).isTrue();
    assertThat(hit.at("/ignored_field_values/i/0").isTextual()).isTrue();
  }
}
