package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Documents of an index that is written as small as it can be (decision 036), by their ids:
/// through merges, updates, deletions, and a node that starts anew.
final class CompactIndexTest {
  private static final int DOCUMENTS = 700;

  /// What each document has, by its id.
  private final Map<String, String> expected = new TreeMap<>();

  private static String document(int i) {
    return "{\"@timestamp\":%d,\"host\":{\"name\":\"h%d\"},\"tags\":[\"t%d\",\"a\"],\"hash\":\"%x\",\"n\":%d}"
        .formatted(1_700_000_000_000L + i * 1000L, i % 5, i % 70, i * 0x9E3779B97F4A7C15L, i % 11);
  }

  private void fill(NodeFixture node, int from, int to) throws Exception {
    StringBuilder bulk = new StringBuilder();
    for (int i = from; i < to; i++) {
      bulk.append(i % 3 == 0 ? "{\"create\":{\"_id\":\"own-" + i + "\"}}\n" : "{\"create\":{}}\n");
      bulk.append(document(i)).append('\n');
    }
    JsonNode items = node.ok("POST", "/l/_bulk", bulk.toString()).path("items");
    for (int i = from; i < to; i++) {
      JsonNode item = items.path(i - from).path("create");
      assertThat(item.path("status").asInt()).isEqualTo(201);
      expected.put(item.path("_id").asText(), "%x".formatted(i * 0x9E3779B97F4A7C15L));
    }
  }

  private void verify(NodeFixture node) throws Exception {
    node.ok("POST", "/l/_refresh", "");
    for (var each : expected.entrySet()) {
      JsonNode found = node.ok("GET", "/l/_doc/" + each.getKey(), "");
      assertThat(found.at("/_source/hash").asText()).isEqualTo(each.getValue());
    }
    String all = "{\"size\":2000,\"query\":{\"exists\":{\"field\":\"hash\"}},\"sort\":[\"hash\"]}";
    Map<String, String> hits = new TreeMap<>();
    for (JsonNode hit : node.ok("POST", "/l/_search", all).at("/hits/hits")) {
      hits.put(hit.path("_id").asText(), hit.at("/sort/0").asText());
    }
    assertThat(hits).isEqualTo(expected);
    for (String hash : new ArrayList<>(expected.values()).subList(0, 50)) {
      String term = "{\"query\":{\"term\":{\"hash\":\"" + hash + "\"}}}";
      assertThat(node.ok("POST", "/l/_count", term).path("count").asInt()).isEqualTo(1);
    }
    String tags = "{\"size\":0,\"aggs\":{\"t\":{\"terms\":{\"field\":\"tags\",\"size\":100}}}}";
    JsonNode buckets = node.ok("POST", "/l/_search", tags).at("/aggregations/t/buckets");
    assertThat(buckets.size()).isEqualTo(71);
    assertThat(buckets.at("/0/doc_count").asInt()).isEqualTo(expected.size());
  }

  @Test
  void documentsAreFoundByTheirIds(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String fields =
          "\"host\":{\"properties\":{\"name\":{\"type\":\"keyword\"}}},\"tags\":{\"type\":\"keyword\"},"
              + "\"hash\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"}";
      node.ok(
          "PUT",
          "/l",
          "{\"settings\":{\"index.mode\":\"logsdb\"},\"mappings\":{\"properties\":{"
              + fields
              + "}}}");
      fill(node, 0, DOCUMENTS / 2);
      node.ok("POST", "/l/_flush", "");
      fill(node, DOCUMENTS / 2, DOCUMENTS);
      verify(node);
      change(node);
      verify(node);
      node.ok("POST", "/l/_forcemerge?max_num_segments=1", "");
      verify(node);
      assertThat(node.call("PUT", "/l/_create/own-3", document(3)).statusCode()).isEqualTo(409);
      change(node);
    }
    try (NodeFixture node = new NodeFixture(folder)) {
      verify(node);
      node.ok("POST", "/l/_forcemerge?max_num_segments=1", "");
      verify(node);
    }
  }

  /// Every seventh is updated, every ninth deleted.
  private void change(NodeFixture node) throws Exception {
    int i = 0;
    for (String id : List.copyOf(expected.keySet())) {
      i++;
      if (i % 7 == 0) {
        String hash = expected.get(id) + "-" + i;
        node.ok("POST", "/l/_update/" + id, "{\"doc\":{\"hash\":\"" + hash + "\"}}");
        expected.put(id, hash);
      } else if (i % 9 == 0 && !id.equals("own-3")) {
        node.ok("DELETE", "/l/_doc/" + id, "");
        expected.remove(id);
      }
    }
  }
}
