package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `has_child`, `has_parent`, `parent_id`: questions with answers, which lie in other documents of
/// their shard.
final class JoinQueriesApiTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void write() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/asked",
            """
            {"settings":{"number_of_shards":3},
             "mappings":{"properties":{
               "text":{"type":"keyword"}, "votes":{"type":"long"},
               "kind":{"type":"join","relations":{"question":["answer","remark"]}}}}}\
            """);
    write("q1", "q1", "{\"kind\":\"question\",\"text\":\"why\"}");
    write("q2", "q2", "{\"kind\":\"question\",\"text\":\"how\"}");
    write("q3", "q3", "{\"kind\":\"question\",\"text\":\"who\"}");
    write("a1", "q1", child("answer", "q1", 3));
    write("a2", "q1", child("answer", "q1", 5));
    write("a3", "q2", child("answer", "q2", 5));
    write("r1", "q2", child("remark", "q2", 9));
    JsonNode _ = node.ok("POST", "/asked/_refresh", "");
  }

  private static String child(String kind, String parent, int votes) {
    return "{\"kind\":{\"name\":\""
        + kind
        + "\",\"parent\":\""
        + parent
        + "\"},\"votes\":"
        + votes
        + "}";
  }

  private static void write(String id, String routing, String document) throws Exception {
    String target = "/asked/_doc/" + id + "?routing=" + routing;
    assertThat(node.call("PUT", target, document).statusCode()).isEqualTo(201);
  }

  @Test
  void parentsAreFoundByTheirChildren() throws Exception {
    assertThat(found("{\"has_child\":{\"type\":\"answer\",\"query\":{\"match_all\":{}}}}"))
        .containsExactlyInAnyOrder("q1", "q2");
    assertThat(found("{\"has_child\":{\"type\":\"remark\",\"query\":{\"term\":{\"votes\":5}}}}"))
        .isEmpty();
    assertThat(
            found(
                "{\"has_child\":{\"type\":\"answer\",\"min_children\":2,\"query\":{\"match_all\":{}}}}"))
        .containsExactly("q1");
    assertThat(
            found(
                "{\"has_child\":{\"type\":\"answer\",\"max_children\":1,\"query\":{\"match_all\":{}}}}"))
        .containsExactly("q2");
  }

  @ParameterizedTest
  @CsvSource({"max, 5, 5", "min, 3, 5", "sum, 8, 5", "avg, 4, 5", "none, 1, 1"})
  void theScoresOfChildrenMakeTheirParents(String mode, float first, float second)
      throws Exception {
    String query =
        """
        {"has_child":{"type":"answer","score_mode":"%s","query":{"function_score":{
          "field_value_factor":{"field":"votes"},"boost_mode":"replace"}}}}\
        """
            .formatted(mode);
    JsonNode hits = search("{\"query\":" + query + ",\"sort\":[\"text\"],\"track_scores\":true}");
    assertThat(hits.at("/1/_id").asText()).isEqualTo("q1"); // "how" comes before "why"
    assertThat(hits.at("/1/_score").floatValue()).isEqualTo(first);
    assertThat(hits.at("/0/_score").floatValue()).isEqualTo(second);
  }

  @Test
  void childrenAreFoundByTheirParent() throws Exception {
    String parent = "{\"has_parent\":{\"parent_type\":\"question\",\"query\":%s}}";
    assertThat(found(parent.formatted("{\"term\":{\"text\":\"how\"}}")))
        .containsExactlyInAnyOrder("a3", "r1");
    assertThat(found("{\"parent_id\":{\"type\":\"answer\",\"id\":\"q1\"}}"))
        .containsExactlyInAnyOrder("a1", "a2");
  }

  @Test
  void innerHitsShowWhoMatched() throws Exception {
    JsonNode hits =
        search(
            """
            {"query":{"has_child":{"type":"answer","query":{"term":{"votes":5}},"inner_hits":{}}},
             "sort":["text"]}\
            """);
    assertThat(hits.at("/0/inner_hits/answer/hits/hits").findValuesAsText("_id"))
        .containsExactly("a3");
    assertThat(hits.at("/1/inner_hits/answer/hits/hits").findValuesAsText("_id"))
        .containsExactly("a2");
  }

  @Test
  void aRelationThatIsNoneIsRefusedUnlessUnmappedOnesAreIgnored() throws Exception {
    String query = "{\"has_child\":{\"type\":\"none\",%s\"query\":{\"match_all\":{}}}}";
    JsonNode refused =
        node.refused(400, "POST", "/asked/_search", "{\"query\":" + query.formatted("") + "}");
    assertThat(refused.at("/error/root_cause/0/reason").asText()).contains("[has_child]");
    assertThat(found(query.formatted("\"ignore_unmapped\":true,"))).isEmpty();
  }

  private static JsonNode search(String body) throws Exception {
    return node.ok("POST", "/asked/_search", body).at("/hits/hits");
  }

  private static List<String> found(String query) throws Exception {
    return search("{\"query\":" + query + "}").findValuesAsText("_id");
  }
}
