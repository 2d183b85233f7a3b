package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What is kept of searches, by Elasticsearch's rules, on two nodes: each asks the other for what
/// its copies have cached.
@Timeout(60)
final class RequestCachesTest {
  private static final String SUM = "{\"size\":0,\"aggs\":{\"s\":{\"sum\":{\"field\":\"n\"}}}}";

  private static final Duration GRACE = Duration.ofMinutes(10);

  @RegisterExtension
  @Order(1)
  static final RunningNode node = RunningNode.withStore(GRACE);

  @RegisterExtension
  @Order(2)
  static final RunningNode other = node.beside(GRACE);

  private static int number;

  private String index = "";

  @BeforeEach
  void fill() throws Exception {
    index = "cached-" + number++;
    node.json(
        "PUT",
        "/" + index,
        """
        {"settings":{"number_of_shards":2,"number_of_replicas":0},
         "mappings":{"properties":{"n":{"type":"long"},"t":{"type":"date"}}}}\
        """);
    for (int i = 0; i < 20; i++) {
      write(i, i);
    }
    node.call("POST", "/" + index + "/_refresh", "");
  }

  private void write(int id, int n) throws Exception {
    node.call(
        "PUT",
        "/" + index + "/_doc/" + id,
        "{\"n\":" + n + ",\"t\":\"2020-01-0" + (1 + n % 5) + "\"}");
  }

  private JsonNode search(String parameters, String body) throws Exception {
    return node.json("POST", "/" + index + "/_search" + parameters, body);
  }

  private long figure(String name) throws Exception {
    JsonNode stats = other.json("/" + index + "/_stats/request_cache");
    return stats.at("/_all/total/request_cache/" + name).asLong();
  }

  @Test
  void theSameQuestionIsComputedOnceACommit() throws Exception {
    // given
    JsonNode first = search("", SUM);
    // when
    JsonNode second =
        search("?timeout=5s", "{\"aggs\":{\"s\":{\"sum\":{\"field\":\"n\"}}}, \"size\":0}");
    // then
    assertThat(first.at("/aggregations/s/value").asDouble()).isEqualTo(190);
    assertThat(second.path("aggregations")).isEqualTo(first.path("aggregations"));
    assertThat(second.path("hits")).isEqualTo(first.path("hits"));
    assertThat(figure("miss_count")).isEqualTo(2);
    assertThat(figure("hit_count")).isEqualTo(2);
    assertThat(figure("memory_size_in_bytes")).isPositive();
    // when
    write(0, 1000);
    node.call("POST", "/" + index + "/_refresh", "");
    // then: of two shards one has a new commit
    assertThat(search("", SUM).at("/aggregations/s/value").asDouble()).isEqualTo(1190);
    assertThat(figure("miss_count")).isEqualTo(3);
    assertThat(figure("hit_count")).isEqualTo(3);
  }

  @Test
  void aMergeOfKeptAndComputedAnswersIsThatOfComputedOnes() throws Exception {
    String body =
        """
        {"size":0,"aggs":{"d":{"terms":{"field":"t"},"aggs":{"p":{"percentiles":{"field":"n"}},
          "top":{"top_hits":{"size":2,"sort":[{"n":"desc"}]}}}},
         "c":{"cardinality":{"field":"n"}}}}\
        """;
    JsonNode computed = search("?request_cache=false", body);
    JsonNode filling = search("", body);
    JsonNode kept = search("", body);
    JsonNode keptAgain = search("", body);

    assertThat(figure("hit_count")).isEqualTo(4);
    assertThat(filling.path("aggregations")).isEqualTo(computed.path("aggregations"));
    assertThat(kept.path("aggregations")).isEqualTo(computed.path("aggregations"));
    assertThat(keptAgain.path("aggregations")).isEqualTo(computed.path("aggregations"));
  }

  @Test
  void hitsAreKeptOnlyWhenTheRequestSaysSo() throws Exception {
    String body = "{\"size\":5,\"sort\":[{\"n\":\"desc\"}]}";
    JsonNode computed = search("", body);
    assertThat(figure("miss_count")).isZero();

    JsonNode filling = search("?request_cache=true", body);
    JsonNode kept = search("?request_cache=true", body);

    assertThat(figure("miss_count")).isEqualTo(2);
    assertThat(figure("hit_count")).isEqualTo(2);
    assertThat(filling.path("hits")).isEqualTo(computed.path("hits"));
    assertThat(kept.path("hits")).isEqualTo(computed.path("hits"));
  }

  @Test
  void whatDependsOnNowOrOnChanceIsNotKept() throws Exception {
    for (String query :
        new String[] {
          "{\"range\":{\"t\":{\"lt\":\"now/d\"}}}",
          "{\"query_string\":{\"query\":\"t:[* TO now]\"}}",
          "{\"function_score\":{\"random_score\":{}}}",
          "{\"function_score\":{\"gauss\":{\"t\":{\"scale\":\"10d\"}}}}"
        }) {
      String body = "{\"size\":0,\"query\":" + query + "}";
      assertThat(search("", body).at("/hits/total/value").asInt()).isEqualTo(20);
      search("?request_cache=true", body);
    }
    assertThat(figure("miss_count")).isZero();
    // A word of a text is no date.
    search("", "{\"size\":0,\"query\":{\"term\":{\"k\":\"now\"}}}");
    assertThat(figure("miss_count")).isEqualTo(2);
  }

  @Test
  void anIndexCanDoWithout() throws Exception {
    node.json("PUT", "/" + index + "/_settings", "{\"index.requests.cache.enable\":false}");

    search("", SUM);
    assertThat(figure("miss_count")).isZero();
    search("?request_cache=true", SUM);
    assertThat(figure("miss_count")).isEqualTo(2);
  }

  @Test
  void profilesScrollsAndFiltersOfAliasesKeepTheirMeaning() throws Exception {
    node.json(
        "POST",
        "/_aliases",
        "{\"actions\":[{\"add\":{\"index\":\""
            + index
            + "\",\"alias\":\"few-"
            + index
            + "\",\"filter\":{\"range\":{\"n\":{\"lt\":2}}}}}]}");
    search("", SUM);
    JsonNode few = node.json("POST", "/few-" + index + "/_search", SUM);
    JsonNode fewAgain = node.json("POST", "/few-" + index + "/_search", SUM);
    JsonNode profiled = search("", SUM.replace("\"size\":0", "\"size\":0,\"profile\":true"));

    assertThat(few.at("/aggregations/s/value").asDouble()).isEqualTo(1);
    assertThat(fewAgain.at("/aggregations/s/value").asDouble()).isEqualTo(1);
    assertThat(profiled.at("/profile/shards")).hasSize(2);
    assertThat(figure("miss_count")).isEqualTo(4);
    assertThat(figure("hit_count")).isEqualTo(2);
  }

  @Test
  void cachesAreClearedAsTheParametersSay() throws Exception {
    search("", SUM);
    node.json("POST", "/" + index + "/_cache/clear?query=true", "");
    assertThat(figure("memory_size_in_bytes")).isPositive();
    node.json("POST", "/" + index + "/_cache/clear?request=true", "");
    assertThat(figure("memory_size_in_bytes")).isZero();
    search("", SUM);
    assertThat(figure("miss_count")).isEqualTo(4);
    assertThat(node.json("POST", "/" + index + "/_cache/clear", "").at("/_shards/total").asInt())
        .isEqualTo(2);
    assertThat(figure("memory_size_in_bytes")).isZero();
  }
}
