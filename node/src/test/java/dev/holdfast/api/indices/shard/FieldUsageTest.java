package dev.holdfast.api.indices.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.node.RunningNode;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `_field_usage_stats` counts what searches read, as Elasticsearch does.
final class FieldUsageTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/used",
            """
            {"mappings":{"properties":{"k":{"type":"keyword"},"l":{"type":"long"},
              "t":{"type":"text"},"v":{"type":"dense_vector","dims":2},
              "c":{"type":"completion"}}}}\
            """);
    JsonNode _ =
        node.ok(
            "PUT",
            "/used/_doc/1?refresh=true",
            "{\"k\":\"a\",\"l\":1,\"t\":\"quick fox\",\"v\":[1,2],\"c\":\"quick\"}");
  }

  /// Counts above 0 by field and structure.
  private static SortedMap<String, Long> counts() throws Exception {
    SortedMap<String, Long> counts = new TreeMap<>();
    node.ok("GET", "/used/_field_usage_stats", "")
        .at("/used/shards/0/stats/fields")
        .properties()
        .forEach(field -> collect(field.getKey(), (ObjectNode) field.getValue(), counts));
    return counts;
  }

  private static void collect(String path, ObjectNode json, SortedMap<String, Long> to) {
    for (var member : json.properties()) {
      String at = path + "." + member.getKey();
      if (member.getValue() instanceof ObjectNode inner) {
        collect(path, inner, to);
      } else if (member.getValue().asLong() > 0) {
        to.put(at, member.getValue().asLong());
      }
    }
  }

  /// What a search adds to the counts.
  private static SortedMap<String, Long> reads(String search) throws Exception {
    SortedMap<String, Long> before = counts();
    JsonNode _ = node.ok("POST", "/used/_search?request_cache=false", search);
    SortedMap<String, Long> after = counts();
    before.forEach((name, count) -> after.merge(name, -count, Long::sum));
    after.values().removeIf(count -> count == 0);
    return after;
  }

  @Test
  void eachStructureThatASearchReadsCountsOnce() throws Exception {
    assertThat(reads("{\"size\":0,\"query\":{\"term\":{\"k\":\"a\"}}}"))
        .hasToString("{k.any=1, k.terms=1}");
    assertThat(reads("{\"size\":0,\"query\":{\"range\":{\"l\":{\"gte\":0,\"lte\":3}}}}"))
        .hasToString("{l.any=1, l.points=1}");
    assertThat(reads("{\"size\":0,\"query\":{\"match_phrase\":{\"t\":\"quick fox\"}}}"))
        .hasToString(
            "{t.any=1, t.positions=1, t.postings=1, t.proximity=1, t.term_frequencies=1,"
                + " t.terms=1}");
    assertThat(reads("{\"size\":0,\"aggs\":{\"s\":{\"sum\":{\"field\":\"l\"}}}}"))
        .hasToString("{l.any=1, l.doc_values=1}");
    assertThat(reads("{\"query\":{\"match_all\":{}}}"))
        .hasToString("{_id.any=1, _id.stored_fields=1, _source.any=1, _source.stored_fields=1}");
    assertThat(
            reads(
                """
                {"size":0,"knn":{"field":"v","query_vector":[1,1],"k":1,"num_candidates":2}}\
                """))
        .containsKey("v.knn_vectors");
    assertThat(reads("{\"suggest\":{\"s\":{\"prefix\":\"qu\",\"completion\":{\"field\":\"c\"}}}}"))
        .containsKey("c.terms");
  }

  @Test
  void fieldsAreChosenByPattern() throws Exception {
    JsonNode _ =
        node.ok("POST", "/used/_search", "{\"size\":0,\"query\":{\"match\":{\"t\":\"quick\"}}}");

    JsonNode shard =
        node.ok("GET", "/used/_field_usage_stats?fields=t*,z", "").at("/used/shards/0");

    assertThat(shard.at("/stats/fields").fieldNames()).toIterable().containsExactly("t");
    assertThat(shard.at("/stats/all_fields/any").asLong())
        .isEqualTo(shard.at("/stats/fields/t/any").asLong());
    assertThat(shard.path("tracking_id").asText()).isNotEmpty();
    assertThat(shard.path("tracking_started_at_millis").asLong()).isPositive();
    assertThat(shard.at("/routing/primary").asBoolean()).isTrue();
  }

  @Test
  void aCommitThatFollowsCountsOn() throws Exception {
    assertThat(reads("{\"size\":0,\"query\":{\"term\":{\"k\":\"a\"}}}")).isNotEmpty();
    long before = counts().get("k.any");
    JsonNode _ = node.ok("POST", "/used/_update/1?refresh=true", "{\"doc\":{\"l\":2}}");
    JsonNode _ =
        node.ok("POST", "/used/_search", "{\"size\":0,\"query\":{\"term\":{\"k\":\"a\"}}}");
    assertThat(counts().get("k.any")).isEqualTo(before + 1);
  }
}
