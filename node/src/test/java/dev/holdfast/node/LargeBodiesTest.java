package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Bulks of 59 MB, several at once, in a node with a heap of 256 MB, in which bodies may take 38.
@EnabledOnOs({OS.LINUX, OS.MAC})
final class LargeBodiesTest {
  private static final int BODY_BYTES = 59_000_000;
  private static final String ITEM =
      "{\"index\":{}}\n{\"title\":\"" + "the quick brown fox ".repeat(50) + "\",\"n\":7}\n";
  private static final int ITEMS = BODY_BYTES / ITEM.length();

  @TempDir Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  private CompletableFuture<HttpResponse<String>> bulk(
      String address, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + "/big/_bulk?filter_path=errors"))
            .version(HttpClient.Version.HTTP_1_1)
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofByteArray(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.sendAsync(request.build(), BodyHandlers.ofString());
  }

  private JsonNode get(String target) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(target)).GET().build();
    return Json.parse(client.send(request, BodyHandlers.ofString()).body());
  }

  @Test
  void passInASmallHeap() throws Exception {
    byte[] body = ITEM.repeat(ITEMS).getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(body);
    }
    try (NodeProcesses nodes = new NodeProcesses(folder, "256m")) {
      Process process = nodes.start("small", "all");
      String address = nodes.address("small");
      assertThat(bulk(address, body).join().body()).isEqualTo("{\"errors\":false}");

      List<CompletableFuture<HttpResponse<String>>> some = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        some.add(bulk(address, body));
      }
      some.add(bulk(address, compressed.toByteArray(), "Content-Encoding", "gzip"));
      int written = 1;
      for (CompletableFuture<HttpResponse<String>> one : some) {
        assertThat(one.join().statusCode()).as(one.join().body()).isIn(200, 429);
        written += one.join().body().equals("{\"errors\":false}") ? 1 : 0;
      }

      assertThat(process.isAlive()).isTrue();
      assertThat(nodes.said("small")).noneMatch(line -> line.contains("OutOfMemoryError"));
      var _ = get(address + "/big/_refresh");
      long count = get(address + "/big/_count").path("count").asLong();
      assertThat(count).isGreaterThanOrEqualTo((long) written * ITEMS);
      // Without names from the beginning.
      try (Stream<Path> left = Files.list(folder.resolve("small/requests"))) {
        assertThat(left).isEmpty();
      }
    } finally {
      client.close();
    }
  }
}
