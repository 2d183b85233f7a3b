package dev.holdfast.clientstest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An owner that is killed while its shards are read in a snapshot (decision 038).
@Timeout(240)
final class KilledRestoreTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder = Path.of("");
  private final HttpClient client = HttpClient.newHttpClient();

  private TestedNode start(String copyDelay) throws Exception {
    return TestedNode.start(
        folder,
        "-E",
        "gc.grace=300ms",
        "-E",
        "gc.sweep_every=500ms",
        "-E",
        "gc.sweep_delay=100ms",
        "-E",
        "restore.copy_delay=" + copyDelay);
  }

  private JsonNode call(TestedNode node, String method, String target, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(node.url() + target))
            .method(method, BodyPublishers.ofString(body))
            .header(
                "Content-Type",
                target.contains("_bulk") ? "application/x-ndjson" : "application/json")
            .build();
    return JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
  }

  private void write(TestedNode node, int from, int to) throws Exception {
    StringBuilder bulk = new StringBuilder();
    for (int i = from; i < to; i++) {
      bulk.append("{\"index\":{\"_index\":\"books\",\"_id\":\"").append(i).append("\"}}\n");
      bulk.append("{\"n\":").append(i).append("}\n");
    }
    JsonNode answer = call(node, "POST", "/_bulk", bulk.toString());
    assertThat(answer.path("errors").asBoolean(true)).as(answer.toString()).isFalse();
  }

  private void requireAll(TestedNode node, int documents) throws Exception {
    call(node, "POST", "/books/_refresh", "");
    JsonNode found =
        call(
            node,
            "POST",
            "/books/_search",
            "{\"size\":0,\"track_total_hits\":true,\"aggs\":{\"s\":{\"sum\":{\"field\":\"n\"}}}}");
    assertThat(found.at("/_shards/failed").asInt(-1)).as(found.toString()).isZero();
    assertThat(found.at("/hits/total/value").asInt()).as(found.toString()).isEqualTo(documents);
    assertThat(found.at("/aggregations/s/value").asLong())
        .isEqualTo((long) documents * (documents - 1) / 2);
  }

  private List<Path> copies() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("data/store/shards"))) {
      return all.filter(Files::isRegularFile)
          .filter(file -> file.toString().contains("/ffffffffffffffff/"))
          .toList();
    }
  }

  @Test
  void everyDocumentIsThereAfterwardsAlsoWhenTheSnapshotIsDeleted() throws Exception {
    // given
    TestedNode first = start("1h");
    try {
      call(first, "PUT", "/books", "{\"settings\":{\"number_of_shards\":3}}");
      write(first, 0, 500);
      call(first, "PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
      JsonNode made = call(first, "PUT", "/_snapshot/r/s?wait_for_completion=true", "");
      assertThat(made.at("/snapshot/state").asText()).as(made.toString()).isEqualTo("SUCCESS");
      call(first, "DELETE", "/books", "");
      call(first, "POST", "/_snapshot/r/s/_restore?wait_for_completion=true", "");
      requireAll(first, 500);
      write(first, 500, 700); // into the log, for the most part
    } finally {
      first.kill();
    }
    assertThat(copies()).isEmpty();
    // when: the next owner is killed, too, before or while it copies
    TestedNode second = start("1500ms");
    try {
      requireAll(second, 700);
      call(second, "POST", "/books/_forcemerge?max_num_segments=1", "");
      write(second, 700, 800);
      Thread.sleep(1200);
    } finally {
      second.kill();
    }
    // then: the snapshot goes when all is copied, and nothing with it
    try (TestedNode third = start("1ms")) {
      JsonNode deleted = call(third, "DELETE", "/_snapshot/r/s", "");
      assertThat(deleted.path("acknowledged").asBoolean()).as(deleted.toString()).isTrue();
      Thread.sleep(2000); // some graces and sweeps
      requireAll(third, 800);
    }
    try (TestedNode fourth = start("1ms")) {
      requireAll(fourth, 800);
    }
  }
}
