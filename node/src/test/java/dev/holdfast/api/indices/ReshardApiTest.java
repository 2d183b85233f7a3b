package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Indices that get more shards while they are written, through a whole node.
@Timeout(120)
final class ReshardApiTest {
  private static final String MAPPING =
      "\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"},"
          + "\"parts\":{\"type\":\"nested\",\"properties\":{\"p\":{\"type\":\"long\"}}}}}";

  /// Blobs that nothing needs are deleted at once.
  @RegisterExtension final RunningNode node = RunningNode.withStore(Duration.ofMillis(1));

  private static String to(int shards) {
    return "{\"number_of_shards\":" + shards + "}";
  }

  private JsonNode reshard(String index, int shards) throws Exception {
    return node.ok(
        "POST", "/" + index + "/_reshard?wait_for_completion=true&timeout=90s", to(shards));
  }

  private static String routing(int document) {
    return document % 3 == 0 ? "&routing=r" + document % 7 : "";
  }

  /// Every third document has a routing, which is not its id; every fifth has nested objects.
  private void fill(String index, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      String parts = i % 5 == 0 ? ",\"parts\":[{\"p\":1},{\"p\":2}]" : "";
      node.ok(
          "PUT",
          "/" + index + "/_doc/" + i + "?refresh=false" + routing(i),
          "{\"n\":" + i + parts + "}");
    }
  }

  private Set<String> hits(String index) throws Exception {
    JsonNode found =
        node.ok(
            "POST",
            "/" + index + "/_search",
            "{\"size\":1000,\"version\":true,\"seq_no_primary_term\":true,\"sort\":[\"n\"]}");
    Set<String> hits = new TreeSet<>();
    for (JsonNode hit : found.at("/hits/hits")) {
      hits.add(
          hit.path("_id").asText()
              + " version "
              + hit.path("_version")
              + " number "
              + hit.path("_seq_no")
              + " term "
              + hit.path("_primary_term")
              + " "
              + hit.path("_source"));
    }
    assertThat(found.at("/hits/hits").size()).isEqualTo(hits.size());
    return hits;
  }

  private int nested(String index) throws Exception {
    String query =
        "{\"query\":{\"nested\":{\"path\":\"parts\",\"query\":{\"term\":{\"parts.p\":2}}}}}";
    return node.json("POST", "/" + index + "/_count", query).path("count").asInt();
  }

  @Test
  void documentsStayWhatTheyAreAndAreWhereTheyAreLookedFor() throws Exception {
    // given
    node.ok("PUT", "/books", "{\"settings\":{\"number_of_shards\":2}," + MAPPING + "}");
    fill("books", 0, 60);
    node.ok("POST", "/books/_flush", "");
    fill("books", 20, 100);
    node.ok("POST", "/books/_refresh", "");
    Set<String> before = hits("books");
    String scroll =
        node.ok("POST", "/books/_search?scroll=1m", "{\"size\":10}").path("_scroll_id").asText();
    // when
    JsonNode answer = reshard("books", 6);
    // then
    assertThat(answer.toString())
        .isEqualTo(
            "{\"acknowledged\":true,\"index\":\"books\",\"number_of_shards\":6,"
                + "\"target_number_of_shards\":6,\"original_number_of_shards\":2,"
                + "\"completed\":true}");
    assertThat(node.json("/books/_reshard").path("completed").asBoolean()).isTrue();
    assertThat(node.json("/books/_settings").at("/books/settings/index/number_of_shards").asText())
        .isEqualTo("6");
    assertThat(hits("books")).isEqualTo(before);
    assertThat(nested("books")).isEqualTo(20);
    for (int i = 0; i < 100; i++) {
      JsonNode got = node.json("/books/_doc/" + i + "?realtime=true" + routing(i));
      assertThat(got.at("/_source/n").asInt(-1)).as("document %s", i).isEqualTo(i);
    }
    // and: it is written, refreshed and split once more
    fill("books", 90, 110);
    HttpResponse<String> twelve = node.call("POST", "/books/_reshard?timeout=5s", to(12));
    assertThat(twelve.headers().allValues("warning").getFirst())
        .contains("[timeout] has no effect without [wait_for_completion]");
    JsonNode begun = Json.parse(twelve.body());
    assertThat(begun.path("target_number_of_shards").asInt()).isEqualTo(12);
    node.ok("POST", "/books/_refresh", "");
    assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(110);
    // and: what a scroll began with is shown to its end
    int seen = 10;
    while (true) {
      JsonNode page =
          node.ok(
              "POST", "/_search/scroll", "{\"scroll\":\"1m\",\"scroll_id\":\"" + scroll + "\"}");
      int size = page.at("/hits/hits").size();
      if (size == 0) {
        break;
      }
      seen += size;
      scroll = page.path("_scroll_id").asText();
    }
    assertThat(seen).isEqualTo(100);
  }

  @Test
  void anIndexThatIsSortedStaysSo() throws Exception {
    node.ok(
        "PUT",
        "/sorted",
        "{\"settings\":{\"number_of_shards\":1,\"sort.field\":\"n\",\"sort.order\":\"desc\"},"
            + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}");
    fill("sorted", 0, 60);
    node.ok("POST", "/sorted/_refresh", "");
    Set<String> before = hits("sorted");
    assertThat(reshard("sorted", 2).path("completed").asBoolean()).isTrue();
    fill("sorted", 60, 61);
    node.ok("POST", "/sorted/_refresh", "");
    assertThat(hits("sorted")).containsAll(before).hasSize(61);
    JsonNode newest =
        node.ok(
            "POST",
            "/sorted/_search",
            "{\"size\":1,\"track_total_hits\":false,\"sort\":[{\"n\":\"desc\"}]}");
    assertThat(newest.at("/hits/hits/0/_id").asText()).isEqualTo("60");
  }

  @Test
  void documentsOfOneRoutingAreFoundWhereThatIsSpread() throws Exception {
    node.ok(
        "PUT",
        "/spread",
        "{\"settings\":{\"number_of_shards\":3,\"routing_partition_size\":2},"
            + "\"mappings\":{\"_routing\":{\"required\":true},"
            + "\"properties\":{\"r\":{\"type\":\"keyword\"}}}}");
    for (int i = 0; i < 60; i++) {
      String routing = "r" + i % 5;
      node.ok("PUT", "/spread/_doc/" + i + "?routing=" + routing, "{\"r\":\"" + routing + "\"}");
    }
    assertThat(reshard("spread", 6).path("completed").asBoolean()).isTrue();
    node.ok("POST", "/spread/_refresh", "");
    for (int i = 0; i < 5; i++) {
      String routing = "r" + i; // which says in what shards to look, where others are too
      JsonNode found = node.json("/spread/_count?routing=" + routing + "&q=r:" + routing);
      assertThat(found.path("count").asInt()).isEqualTo(12);
    }
    for (int i = 0; i < 60; i++) {
      assertThat(node.json("/spread/_doc/" + i + "?routing=r" + i % 5).path("found").asBoolean())
          .as("document %s", i)
          .isTrue();
    }
  }

  @Test
  void theIndexThatAStreamIsWrittenToGetsMore() throws Exception {
    node.ok("PUT", "/_index_template/t", "{\"index_patterns\":[\"log-*\"],\"data_stream\":{}}");
    node.ok("POST", "/log-a/_doc", "{\"@timestamp\":1}");
    JsonNode answer = reshard("log-a", 2);
    assertThat(answer.path("index").asText()).startsWith(".ds-log-a-");
    assertThat(answer.path("number_of_shards").asInt()).isEqualTo(2);
    for (int i = 0; i < 20; i++) {
      node.ok("POST", "/log-a/_doc?refresh=true", "{\"@timestamp\":" + i + "}");
      assertThat(node.json("/log-a/_count").path("count").asInt()).isEqualTo(i + 2);
    }
    // and: so has the next one
    String next = node.ok("POST", "/log-a/_rollover", "").path("new_index").asText();
    assertThat(node.json("/" + next + "/_reshard").path("number_of_shards").asInt()).isEqualTo(2);
  }

  @Test
  void aRestartGoesOn() throws Exception {
    node.ok("PUT", "/books", "{\"settings\":{\"number_of_shards\":1}," + MAPPING + "}");
    fill("books", 0, 50);
    node.ok("POST", "/books/_reshard", to(4));
    node.restart();
    assertThat(reshard("books", 4).path("completed").asBoolean()).isTrue();
    node.ok("POST", "/books/_refresh", "");
    assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(50);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|Validation Failed: 1: [number_of_shards] is required;",
        "{'number_of_shards':2}|must be less that the number of target shards [2]",
        "{'number_of_shards':3}|the number of source shards [2] must be a factor of [3]",
        "{'number_of_shards':4096}|must be <= 1024",
        "{'number_of_shards':8}|number of routing shards [4] must be a multiple of the target",
        "{'shards':4}|unknown field [shards]",
      })
  void whatCannotBeIsRefused(String body, String why) throws Exception {
    node.ok(
        "PUT", "/books", "{\"settings\":{\"number_of_shards\":2,\"number_of_routing_shards\":4}}");
    JsonNode refused = node.json("POST", "/books/_reshard", body.replace('\'', '"'));
    node.refused(400, "POST", "/books/_reshard?timeout=soon", to(4));
    assertThat(refused.path("status").asInt()).isEqualTo(400);
    assertThat(refused.at("/error/reason").asText()).contains(why);
    assertThat(node.json("/books/_reshard").path("number_of_shards").asInt()).isEqualTo(2);
  }

  @Test
  void anIndexWhoseMetadataMustNotChangeStaysAsItIs() throws Exception {
    node.ok("PUT", "/books", "{\"settings\":{\"number_of_shards\":1}}");
    node.ok("PUT", "/books/_settings", "{\"index.blocks.read_only\":true}");
    JsonNode refused = node.json("POST", "/books/_reshard", to(2));
    assertThat(refused.path("status").asInt()).isEqualTo(403);
    assertThat(refused.at("/error/type").asText()).isEqualTo("cluster_block_exception");
    assertThat(node.json("/books/_reshard").path("target_number_of_shards").asInt()).isOne();
    // and: of documents alone nothing changes
    node.ok("PUT", "/books/_settings", "{\"index.blocks.read_only\":false}");
    node.ok("PUT", "/books/_settings", "{\"index.blocks.write\":true}");
    assertThat(reshard("books", 2).path("completed").asBoolean()).isTrue();
  }
}
