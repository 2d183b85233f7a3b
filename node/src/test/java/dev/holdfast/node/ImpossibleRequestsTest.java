package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Well-formed requests for what there can't be: refused with 400 and a reason, as the fuzzer
/// demands.
final class ImpossibleRequestsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    node.ok("PUT", "/books/_doc/1?refresh=true", "{\"title\":\"of the summer\",\"pages\":7}");
  }

  private static String reason(String method, String target, String body) throws Exception {
    JsonNode refusal = node.refused(400, method, target, body);
    assertThat(refusal.at("/error/type").asText()).isEqualTo("illegal_argument_exception");
    return refusal.at("/error/reason").asText();
  }

  @Test
  void moreTermsThanAnyNumber() throws Exception {
    String body =
        "{\"doc\":{\"title\":\"of the"
            + " summer\"},\"fields\":[\"title\"],\"filter\":{\"max_num_terms\":%s}}";
    assertThat(reason("POST", "/books/_termvectors", body.replace("%s", "-3")))
        .isEqualTo("[max_num_terms] is no number of terms: [-3]");
    for (String number : new String[] {"99999999999999999999999999999999", "3000000000"}) {
      assertThat(reason("POST", "/books/_termvectors", body.replace("%s", number)))
          .isEqualTo("[filter] [max_num_terms] out of range: " + number);
    }
    JsonNode found = node.ok("POST", "/books/_termvectors", body.replace("%s", "2"));
    assertThat(found.at("/term_vectors/title/terms")).hasSize(2);
  }

  @Test
  void bucketsWhereAPathShouldLeadToANumber() throws Exception {
    assertThat(
            reason(
                "POST",
                "/books/_search",
                """
                {"size":0,"aggs":{
                  "h":{"histogram":{"field":"pages","interval":5},
                       "aggs":{"m":{"histogram":{"field":"pages","interval":5}}}},
                  "p":{"stats_bucket":{"buckets_path":"h>m"}}}}\
                """))
        .startsWith("buckets_path must reference either a number value");
  }

  @Test
  void aListWhereASettingIsANumber() throws Exception {
    assertThat(
            reason(
                "PUT", "/lists", "{\"settings\":{\"index.mapping.total_fields.limit\":[1,\"a\"]}}"))
        .contains("index.mapping.total_fields.limit");
  }

  @Test
  void aRingThatIsNoArray() throws Exception {
    node.ok("PUT", "/places", "{\"mappings\":{\"properties\":{\"p\":{\"type\":\"geo_shape\"}}}}");
    for (String ring : new String[] {"{\"nested\":1}", "[{\"nested\":1}]"}) {
      var _ =
          node.refused(
              400,
              "POST",
              "/places/_search",
              "{\"query\":{\"geo_shape\":{\"p\":{\"shape\":{\"type\":\"polygon\",\"coordinates\":["
                  + ring
                  + "]}}}}}");
    }
  }

  @Test
  void aMetricThatIsNoObject() throws Exception {
    JsonNode refusal =
        node.refused(400, "POST", "/books/_rank_eval", "{\"requests\":[],\"metric\":[{}]}");
    assertThat(refusal.at("/error/reason").asText()).isEqualTo("[metric] must hold one metric");
  }

  @Test
  void aRetrieverThatIsNoObject() throws Exception {
    JsonNode refusal =
        node.refused(400, "POST", "/books/_search", "{\"retriever\":[null],\"size\":4}");
    assertThat(refusal.at("/error/reason").asText())
        .isEqualTo("Unknown key for a START_ARRAY in [retriever].");
  }

  /// Elasticsearch finds nothing either.
  @Test
  void objectsThatLieInTheirOwnMembers() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/deep",
            """
            {"mappings":{"properties":{"c":{"type":"nested","properties":{
              "n":{"type":"long"},"r":{"type":"nested","properties":{"s":{"type":"long"}}}}}}}}\
            """);
    JsonNode _ =
        node.ok("PUT", "/deep/_doc/1?refresh=true", "{\"c\":[{\"n\":1,\"r\":[{\"s\":3}]}]}");
    String inverted =
        """
        {"query":{"nested":{"path":"c.r","inner_hits":{},"query":{"bool":{
          "must":[{"term":{"c.r.s":3}}],
          "%s":[{"nested":{"path":"c","inner_hits":{},"query":{"term":{"c.n":1}}}}]}}}}}\
        """;

    JsonNode required = node.ok("POST", "/deep/_search", inverted.replace("%s", "must_not"));
    JsonNode wanted = node.ok("POST", "/deep/_search", inverted.replace("%s", "should"));

    assertThat(required.at("/hits/total/value").asInt()).isOne();
    JsonNode hit = wanted.at("/hits/hits/0/inner_hits/c.r/hits/hits/0");
    assertThat(hit.path("_nested"))
        .hasToString("{\"field\":\"c\",\"offset\":0,\"_nested\":{\"field\":\"r\",\"offset\":0}}");
    assertThat(hit.at("/inner_hits/c/hits/total/value").asInt()).isZero();
  }

  @Test
  void nestedObjectsWhereThereAreNone() throws Exception {
    JsonNode refusal =
        node.refused(
            400, "POST", "/books/_search", "{\"aggs\":{\"a\":{\"nested\":{\"path\":\"pages\"}}}}");
    assertThat(refusal.at("/error/root_cause/0/type").asText())
        .isEqualTo("aggregation_execution_exception");
  }

  @Test
  void wordsTooLongToBeMisspelt() throws Exception {
    String word = "a".repeat(5_000);
    JsonNode _ =
        node.ok(
            "PUT", "/long", "{\"mappings\":{\"properties\":{\"word\":{\"type\":\"keyword\"}}}}");
    JsonNode _ = node.ok("PUT", "/long/_doc/1?refresh=true", "{\"word\":\"" + word + "\"}");
    String search = "{\"query\":{\"fuzzy\":{\"word\":\"%s\"}}}";
    assertThat(hits(search.replace("%s", word))).isOne();
    assertThat(hits(search.replace("%s", word + "a"))).isZero();
  }

  private static int hits(String search) throws Exception {
    return node.ok("POST", "/long/_search", search).at("/hits/total/value").asInt();
  }
}
