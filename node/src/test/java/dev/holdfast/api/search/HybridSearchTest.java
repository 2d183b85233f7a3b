package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Searches by words and by vectors at once.
final class HybridSearchTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static List<String> ids(JsonNode found) {
    return found.at("/hits/hits").findValuesAsText("_id");
  }

  /// A search of the best of what a fusing retriever finds, by a keyword, after a rescoring that
  /// gives each of them ten points.
  private static String rescorer(String fused, String keyword) {
    String inner =
        """
        {"rescorer":{"retriever":{"rrf":%s},"rescore":{"window_size":9,"query":{
          "rescore_query":{"constant_score":{"filter":{"match_all":{}},"boost":10}}}}}}\
        """
            .formatted(fused);
    return """
    {"size":%d,"retriever":{"rescorer":{"retriever":%s,"rescore":{"window_size":9,"query":{
      "rescore_query":{"constant_score":{"filter":{"term":{"k":"%s"}},"boost":100}}}}}}}\
    """
        .formatted(fused.contains("rank_window_size") ? 1 : 10, inner, keyword);
  }

  @Test
  void fusesWhatRetrieversFind() throws Exception {
    node.ok(
        "PUT",
        "/fused",
        """
        {"settings":{"number_of_shards":2},"mappings":{"properties":{
          "t":{"type":"text"},"k":{"type":"keyword"},
          "v":{"type":"dense_vector","dims":2,"similarity":"l2_norm"}}}}\
        """);
    node.ok(
        "POST",
        "/fused/_bulk?refresh=true",
        """
        {"index":{"_id":"a"}}
        {"t":"cat","k":"x","v":[9,9]}
        {"index":{"_id":"b"}}
        {"t":"cat cat dog bird fish","k":"x","v":[0,0]}
        {"index":{"_id":"c"}}
        {"t":"dog","k":"y","v":[0,1]}
        {"index":{"_id":"d"}}
        {"t":"bird","k":"y","v":[0,2]}
        """);
    String parts =
        """
        "retrievers":[{"standard":{"query":{"term":{"k":{"value":"x"}}}}},
          {"knn":{"field":"v","query_vector":[0,0],"k":2,"num_candidates":9}}]\
        """;

    String ranked = "\"retriever\":{\"rrf\":{" + parts + ",\"rank_constant\":1%s}}";
    JsonNode best = node.ok("POST", "/fused/_search", "{" + ranked.formatted("") + "}");
    JsonNode counted =
        node.ok(
            "POST",
            "/fused/_search",
            "{"
                + ranked.formatted(",\"rank_window_size\":1")
                + ",\"size\":1,\"aggs\":{\"k\":{\"terms\":{\"field\":\"k\"}}}}");
    JsonNode filtered =
        node.ok(
            "POST",
            "/fused/_search",
            "{" + ranked.formatted(",\"filter\":{\"term\":{\"k\":\"y\"}}") + "}");
    JsonNode linear =
        node.ok(
            "POST",
            "/fused/_search",
            """
            {"retriever":{"linear":{"rank_window_size":10,"retrievers":[
              {"retriever":{"standard":{"query":{"term":{"k":"y"}}}},"weight":5,
                "normalizer":"minmax"},
              {"retriever":{"knn":{"field":"v","query_vector":[0,0],"k":3,"num_candidates":9}},
                "normalizer":"minmax"}]}}}\
            """);
    JsonNode small =
        node.refused(
            400,
            "POST",
            "/fused/_search",
            "{" + ranked.formatted(",\"rank_window_size\":5") + ",\"size\":6}");

    JsonNode rescored = node.ok("POST", "/fused/_search", rescorer("{" + parts + "}", "y"));
    JsonNode twice =
        node.ok(
            "POST",
            "/fused/_search",
            rescorer(
                """
                {"rank_window_size":1,"retrievers":[{"standard":{"query":{"bool":{"should":[
                  {"ids":{"values":["b"]}},{"match_all":{}}]}}}}]}\
                """,
                "y"));

    String words = "{\"retriever\":{\"rrf\":{\"query\":\"cat dog\",\"fields\":[\"t\"]%s}}}";
    JsonNode byWords = node.ok("POST", "/fused/_search", words.formatted(""));
    JsonNode both =
        node.ok(
            "POST",
            "/fused/_msearch",
            "{}\n"
                + Json.parse("{" + ranked.formatted("") + "}")
                + "\n{}\n"
                + words.formatted("")
                + "\n");
    String mixed = words.formatted(",\"retrievers\":[]");
    String bare = words.formatted("").replace("rrf", "linear");
    node.refused(400, "POST", "/fused/_search", mixed);
    assertThat(node.refused(400, "POST", "/fused/_search", bare).at("/error/reason").asText())
        .contains("[normalizer]");
    JsonNode scaled =
        node.ok(
            "POST",
            "/fused/_search",
            words.formatted(",\"normalizer\":\"minmax\"").replace("rrf", "linear"));

    assertThat(ids(byWords)).containsExactlyInAnyOrder("a", "b", "c").startsWith("b");
    assertThat(byWords.at("/hits/hits/0/_score").floatValue()).isEqualTo(1f / 61);
    assertThat(ids(both.at("/responses/0"))).isEqualTo(ids(best));
    assertThat(ids(both.at("/responses/1"))).isEqualTo(ids(byWords));
    assertThat(scaled.at("/hits/hits/0/_score").floatValue()).isEqualTo(1f);
    assertThat(ids(best)).startsWith("b").contains("a", "c").doesNotContain("d");
    assertThat(best.at("/hits/hits/0/_score").floatValue()).isGreaterThan(0.8f);
    assertThat(ids(rescored)).startsWith("c").hasSize(3).doesNotContain("d");
    assertThat(rescored.at("/hits/hits/0/_score").floatValue()).isGreaterThan(100);
    assertThat(ids(twice)).as("what only matches is not scored anew").containsExactly("b");
    assertThat(twice.at("/hits/hits/0/_score").floatValue()).isGreaterThan(10).isLessThan(11);
    assertThat(ids(counted)).hasSize(1);
    assertThat(counted.at("/aggregations/k/buckets/0/doc_count").asInt()).isEqualTo(2);
    assertThat(ids(filtered)).containsExactly("c", "d");
    assertThat(ids(linear)).containsExactly("c", "d", "b");
    assertThat(linear.at("/hits/hits/2/_score").floatValue()).isEqualTo(1);
    assertThat(small.at("/error/reason").asText())
        .isEqualTo("[rrf] requires [rank_window_size: 5] be greater than or equal to [size: 6]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "'pear' | ^^ | [rrf] filter doesn't support values of type: VALUE_STRING",
        "null | ^^ | [rrf] filter doesn't support values of type: VALUE_NULL",
        "[5] | ^^ | [rrf] filter doesn't support values of type: VALUE_NUMBER",
        "{'match_all':{}} | ,'filter':true | [standard] filter doesn't support values of type:"
            + " VALUE_BOOLEAN",
      })
  void aFilterThatIsNoQueryIsRefused(String filter, String own, String reason) throws Exception {
    node.ok("PUT", "/unfiltered", "");
    String body =
        "{'retriever':{'rrf':{'filter':"
            + filter
            + ",'retrievers':[{'standard':{'query':{'match_all':{}}"
            + own
            + "}}]}}}";
    JsonNode refused = node.refused(400, "POST", "/unfiltered/_search", body.replace('\'', '"'));

    assertThat(refused.at("/error/type").asText()).isEqualTo("x_content_parse_exception");
    assertThat(refused.at("/error/reason").asText()).isEqualTo(reason);
    node.ok("DELETE", "/unfiltered", "");
  }

  @Test
  void leavesVectorsOutOfSourcesWhenAsked() throws Exception {
    node.ok(
        "PUT",
        "/vectors",
        "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"dense_vector\",\"dims\":2}}}}");
    node.ok("PUT", "/vectors/_doc/1?refresh=true", "{\"v\":[1,2],\"n\":1}");

    String asked = "{\"_source\":{\"exclude_vectors\":%s}}";
    JsonNode without = node.ok("POST", "/vectors/_search", asked.formatted("true"));
    JsonNode with = node.ok("POST", "/vectors/_search", asked.formatted("false"));
    JsonNode byParameter =
        node.ok("GET", "/vectors/_search?_source_exclude_vectors=true&_source_excludes=m", "");
    JsonNode named =
        node.ok("GET", "/vectors/_search?_source_exclude_vectors=true&_source=n,v", "");

    String source = "/hits/hits/0/_source";
    assertThat(without.at(source)).isEqualTo(Json.parseObject("{\"n\":1}"));
    assertThat(with.at(source).has("v")).isTrue();
    assertThat(byParameter.at(source)).isEqualTo(Json.parseObject("{\"n\":1}"));
    assertThat(named.at(source).has("v")).isTrue();
  }

  @Test
  void saysWhichShardsFailedInAPart() throws Exception {
    node.ok(
        "PUT",
        "/part-a",
        """
        {"mappings":{"properties":{"v":{"type":"dense_vector","dims":2,"similarity":"l2_norm"}}}}\
        """);
    node.ok("PUT", "/part-b", "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"keyword\"}}}}");
    node.ok("PUT", "/part-a/_doc/1?refresh=true", "{\"v\":[0,1]}");
    node.ok("PUT", "/part-b/_doc/2?refresh=true", "{\"v\":\"x\"}");

    JsonNode found =
        node.ok(
            "POST",
            "/part-*/_search",
            """
            {"retriever":{"rrf":{"retrievers":[
              {"standard":{"query":{"match_all":{}}}},
              {"knn":{"field":"v","query_vector":[0,0],"k":2,"num_candidates":9}}]}}}\
            """);

    assertThat(ids(found)).containsExactly("1", "2");
    assertThat(found.at("/_shards/failed").asInt()).isOne();
    assertThat(found.at("/_shards/successful").asInt()).isOne();
    assertThat(found.at("/_shards/failures/0/index").asText()).isEqualTo("part-b");
  }
}
