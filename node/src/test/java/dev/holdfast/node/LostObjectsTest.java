package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Objects removed from the store of a node that is down (decision 018): the shard that needs one
/// is red, and everything says which object is missing; other shards go on.
class LostObjectsTest {
  private static final int DOCUMENTS = 300;

  @TempDir Path folder;

  /// What a crash leaves: the folder as it is while the node runs.
  private Path crashed() throws IOException {
    Path copy = folder.resolve("crashed");
    try (Stream<Path> files = Files.walk(folder.resolve("node"))) {
      for (Path file : files.toList()) {
        Path to = copy.resolve(folder.resolve("node").relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else {
          Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    return copy;
  }

  private NodeFixture start() throws Exception {
    return new NodeFixture(folder.resolve("node"));
  }

  private static void create(NodeFixture node, String index) throws Exception {
    String body =
        "{\"settings\":{\"number_of_shards\":1,\"refresh_interval\":-1},"
            + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}";
    assertThat(node.call("PUT", "/" + index, body).statusCode()).isEqualTo(200);
  }

  /// Each request is a file of the log at least.
  private static void write(NodeFixture node, String index, int from, int to) throws Exception {
    for (int begin = from; begin < to; begin += 10) {
      StringBuilder bulk = new StringBuilder();
      for (int n = begin; n < begin + 10; n++) {
        bulk.append("{\"index\":{\"_id\":\"").append(n).append("\"}}\n{\"n\":").append(n);
        bulk.append("}\n");
      }
      HttpResponse<String> answer = node.call("POST", "/" + index + "/_bulk", bulk.toString());
      assertThat(answer.body()).contains("\"errors\":false");
    }
  }

  private static List<Path> objects(Path node, String under) throws IOException {
    try (Stream<Path> found = Files.walk(node)) {
      return found
          .filter(Files::isRegularFile)
          .filter(file -> key(file).startsWith(under))
          .sorted()
          .toList();
    }
  }

  /// The key of an object, wherever the store lies in the folder.
  private static String key(Path file) {
    String path = file.toString();
    for (String top : List.of("/log/", "/shards/")) {
      if (path.contains(top)) {
        return path.substring(path.indexOf(top) + 1);
      }
    }
    return path;
  }

  private static void remove(List<Path> files) throws IOException {
    for (Path file : files) {
      Files.delete(file);
    }
  }

  private static void awaitRed(NodeFixture node, String index) throws Exception {
    JsonNode health = node.json("/_cluster/health");
    for (int i = 0; i < 200 && health.path("lost_objects").isEmpty(); i++) {
      Thread.sleep(100);
      health = node.json("/_cluster/health");
    }
    assertThat(health.path("status").asText()).isEqualTo("red");
    assertThat(health.at("/lost_objects/0/index").asText()).isEqualTo(index);
  }

  private static void assertMissed(NodeFixture node, String index, String key) throws Exception {
    awaitRed(node, index);
    assertThat(node.get("/_cluster/health").body()).contains(key);
    assertThat(node.get("/_health_report").body()).contains("\"status\":\"red\"").contains(key);
    assertThat(node.get("/_holdfast/shards/" + index).body()).contains(key).contains("unassigned");
    String which = "{\"index\":\"" + index + "\",\"shard\":0,\"primary\":true}";
    JsonNode explained = node.json("POST", "/_cluster/allocation/explain", which);
    assertThat(explained.path("current_state").asText()).isEqualTo("unassigned");
    assertThat(explained.toString()).contains(key);
    for (HttpResponse<String> answer :
        List.of(
            node.get("/" + index + "/_doc/1"),
            node.call("PUT", "/" + index + "/_doc/1", "{\"n\":7}"),
            node.get("/" + index + "/_search"))) {
      assertThat(answer.statusCode()).isGreaterThanOrEqualTo(500);
      assertThat(answer.body()).contains(key);
    }
  }

  private static void assertWhole(NodeFixture node, String index, int documents) throws Exception {
    JsonNode health = node.json("/_cluster/health/" + index + "?wait_for_status=green&timeout=60s");
    assertThat(health.path("status").asText()).isEqualTo("green");
    node.call("POST", "/" + index + "/_refresh", "");
    assertThat(node.json("/" + index + "/_count").path("count").asInt()).isEqualTo(documents);
  }

  @Test
  void aFileInTheMiddleOfTheLogIsMissed() throws Exception {
    Path crashed;
    try (NodeFixture node = start()) {
      create(node, "books");
      create(node, "other");
      write(node, "other", 0, 10);
      write(node, "books", 0, DOCUMENTS);
      crashed = crashed();
    }
    List<Path> log = objects(crashed, "log/");
    Path middle = log.get(log.size() / 2);
    Path aside = folder.resolve("aside");
    Files.move(middle, aside);
    try (NodeFixture node = new NodeFixture(crashed)) {
      assertMissed(node, "books", key(middle));
      assertWhole(node, "other", 10);

      // who puts it back loses nothing
      Files.move(aside, middle, StandardCopyOption.REPLACE_EXISTING);
      assertWhole(node, "books", DOCUMENTS);
    }
  }

  @Test
  void aLogThatIsGoneIsMissed() throws Exception {
    Path crashed;
    try (NodeFixture node = start()) {
      create(node, "books");
      write(node, "books", 0, DOCUMENTS);
      crashed = crashed();
    }
    remove(objects(crashed, "log/"));
    try (NodeFixture node = new NodeFixture(crashed)) {
      assertMissed(node, "books", "log/");
    }
  }

  @Test
  void theNewestBlobIsMissedOnceTheStateKnowsIt() throws Exception {
    try (NodeFixture node = start()) {
      create(node, "books");
      create(node, "other");
      write(node, "books", 0, DOCUMENTS);
      write(node, "other", 0, 10);
    }
    Path newest = newestBlob(folder.resolve("node"), "books");
    Files.delete(newest);
    try (NodeFixture node = start()) {
      assertMissed(node, "books", key(newest));
      assertWhole(node, "other", 10);

      // when a person accepts it
      JsonNode accepted = node.json("POST", "/_holdfast/shards/books/0/_accept_loss", "");
      // then it says what is lost, and goes on
      assertThat(accepted.path("opened").asBoolean()).isTrue();
      assertThat(accepted.at("/lost/object").asText()).isEqualTo(key(newest));
      assertThat(accepted.at("/lost/known_max_seq_no").asInt()).isEqualTo(DOCUMENTS - 1);
      // what the log still had when the node stopped is replayed
      assertThat(accepted.at("/lost/operations_min").asInt())
          .isEqualTo(DOCUMENTS - 1 - accepted.at("/lost/found_max_seq_no").asInt());
      write(node, "books", 1000, 1010);
      node.json("/_cluster/health/books?wait_for_status=green&timeout=60s");
      assertThat(node.json("/_cluster/health").has("lost_objects")).isFalse();
      assertThat(node.call("POST", "/_holdfast/shards/books/0/_accept_loss", "").statusCode())
          .isEqualTo(400);
    }
  }

  /// The newest blob of the index that has the most bytes in the store, or the least.
  private static Path newestBlob(Path node, String index) throws IOException {
    // keys are inverted: the newest is the first of its folder
    List<Path> blobs = objects(node, "shards/");
    Comparator<Path> byBytes =
        Comparator.comparingLong(blob -> shardBytes(blobs, blob.getParent().getParent()));
    Path one =
        index.equals("books")
            ? blobs.stream().max(byBytes).orElseThrow()
            : blobs.stream().min(byBytes).orElseThrow();
    return blobs.stream()
        .filter(blob -> blob.startsWith(one.getParent().getParent()))
        .findFirst()
        .orElseThrow();
  }

  private static long shardBytes(List<Path> blobs, Path shard) {
    return blobs.stream()
        .filter(blob -> blob.startsWith(shard))
        .mapToLong(LostObjectsTest::size)
        .sum();
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aShardWhoseFolderIsGoneIsMissed() throws Exception {
    try (NodeFixture node = start()) {
      create(node, "books");
      write(node, "books", 0, DOCUMENTS);
    }
    List<Path> blobs = objects(folder.resolve("node"), "shards/");
    remove(blobs);
    try (NodeFixture node = start()) {
      assertMissed(node, "books", key(blobs.getFirst()));
    }
    // when a person accepts it while no node runs
    StringWriter out = new StringWriter();
    String store = "file:" + folder.resolve("node").resolve("store");
    int status =
        Main.run(
            new PrintWriter(out), "store", "repair", "--store", store, "--accept-loss", "books/0");
    assertThat(status).as(out.toString()).isZero();
    assertThat(out.toString()).contains(key(blobs.getFirst())).contains("known_max_seq_no=299");
    // then the shard is empty and takes writes
    try (NodeFixture node = start()) {
      write(node, "books", 0, 10);
      assertWhole(node, "books", 10);
    }
  }

  @Test
  void aBlobThatTheStateDoesNotKnowCanBeHadFromTheLog() throws Exception {
    Path crashed;
    try (NodeFixture node = start()) {
      create(node, "books");
      write(node, "books", 0, DOCUMENTS);
      JsonNode known = node.json("/_holdfast/shards/books").at("/shards/0/in_store");
      assertThat(node.call("POST", "/books/_flush", "").statusCode()).isEqualTo(200);
      write(node, "books", DOCUMENTS, DOCUMENTS + 50);
      assumeThat(node.json("/_holdfast/shards/books").at("/shards/0/in_store")).isEqualTo(known);
      crashed = crashed();
    }
    // when the blob is lost that was uploaded a moment ago
    Files.delete(newestBlob(crashed, "books"));
    // then nothing is
    try (NodeFixture node = new NodeFixture(crashed)) {
      assertWhole(node, "books", DOCUMENTS + 50);
    }
  }

  @Test
  void aFileOfTheLogThatIsBrokenAtOneEndIsRead() throws Exception {
    Path crashed;
    try (NodeFixture node = start()) {
      create(node, "books");
      write(node, "books", 0, DOCUMENTS);
      crashed = crashed();
    }
    for (Path file : objects(crashed, "log/")) {
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length - 20] ^= 1;
      Files.write(file, bytes);
    }
    try (NodeFixture node = new NodeFixture(crashed)) {
      assertWhole(node, "books", DOCUMENTS);
    }
  }
}
