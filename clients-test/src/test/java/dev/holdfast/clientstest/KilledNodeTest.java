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
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a node that is killed and started again still knows.
@Timeout(240)
final class KilledNodeTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String[] SOON = {
    "-E", "gc.grace=500ms", "-E", "gc.sweep_every=1s", "-E", "gc.sweep_delay=1s"
  };

  @TempDir private Path folder = Path.of("");
  private final HttpClient client = HttpClient.newHttpClient();

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

  private void write(TestedNode node, int value) throws Exception {
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      bulk.append("{\"index\":{\"_index\":\"books\",\"_id\":\"").append(i).append("\"}}\n");
      bulk.append("{\"n\":").append(value + i).append("}\n");
    }
    JsonNode answer = call(node, "POST", "/_bulk?refresh=true", bulk.toString());
    assertThat(answer.path("errors").asBoolean()).as(answer.toString()).isFalse();
  }

  /// The name of generation 1, which was there before the first document: nobody pins it.
  private static final String FIRST_BLOB = "fffffffffffffffe";

  private JsonNode search(TestedNode node, String pit) throws Exception {
    return call(
        node,
        "POST",
        "/_search",
        "{\"size\":100,\"sort\":[\"n\"],\"pit\":{\"id\":\""
            + pit
            + "\",\"keep_alive\":\"5m\"},"
            + "\"aggs\":{\"s\":{\"sum\":{\"field\":\"n\"}}}}");
  }

  private Set<Path> files(String below) throws IOException {
    Path at = folder.resolve("data").resolve("store").resolve(below);
    if (!Files.exists(at)) {
      return new TreeSet<>();
    }
    try (Stream<Path> all = Files.walk(at)) {
      return new TreeSet<>(all.filter(Files::isRegularFile).toList());
    }
  }

  @Test
  void aPointInTimeIsStillThereAndItsBlobsGoWhenItIsClosed() throws Exception {
    // given
    TestedNode node = TestedNode.start(folder, SOON);
    String pit;
    JsonNode before;
    Set<Path> pinned;
    try {
      call(node, "PUT", "/books", "{\"settings\":{\"number_of_shards\":2}}");
      write(node, 0);
      pit = call(node, "POST", "/books/_pit?keep_alive=5m", "").path("id").asText();
      before = search(node, pit);
      pinned = files("shards");
      pinned.removeIf(blob -> blob.endsWith(FIRST_BLOB));
      write(node, 1000); // not uploaded when the node dies
    } finally {
      node.kill();
    }
    assertThat(before.at("/hits/hits")).hasSize(100);
    assertThat(files("pins")).hasSize(1);
    assertThat(pinned).isNotEmpty();
    // when
    try (TestedNode again = TestedNode.start(folder, SOON)) {
      JsonNode after = search(again, pit);
      // then
      assertThat(after.path("hits")).as(after.toString()).isEqualTo(before.path("hits"));
      assertThat(after.path("aggregations")).isEqualTo(before.path("aggregations"));
      assertThat(after.path("pit_id").asText()).isEqualTo(pit);
      // when: it is all that needs the blobs, for longer than the grace and some sweeps
      write(again, 2000);
      call(again, "POST", "/books/_forcemerge?max_num_segments=1", "");
      for (int i = 0; i < 3; i++) {
        Thread.sleep(1000);
        call(again, "GET", "/_holdfast/gc/explain?index=books", "");
      }
      // then
      assertThat(files("shards")).containsAll(pinned);
      assertThat(search(again, pit).path("hits")).isEqualTo(before.path("hits"));
      // when
      JsonNode closed = call(again, "DELETE", "/_pit", "{\"id\":\"" + pit + "\"}");
      // then
      assertThat(closed.path("num_freed").asInt()).isEqualTo(2);
      assertThat(files("pins")).isEmpty();
      for (int i = 0; i < 60 && files("shards").stream().anyMatch(pinned::contains); i++) {
        Thread.sleep(500);
        call(again, "GET", "/_holdfast/gc/explain?index=books", "");
      }
      assertThat(files("shards")).doesNotContainAnyElementsOf(pinned);
      assertThat(search(again, pit).at("/status").asInt()).isEqualTo(404);
    }
  }
}
