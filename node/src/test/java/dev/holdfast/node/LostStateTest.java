package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.log.IncompleteStateException;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.concurrent.Begun;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an operator sees of a cluster state that is lost, from the refusal to all documents.
final class LostStateTest {
  @TempDir Path folder;

  private static void delete(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static String run(String... arguments) {
    StringWriter said = new StringWriter();
    int status = Main.run(new PrintWriter(said), arguments);
    return status + " " + said;
  }

  private void fill() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.call(
          "PUT",
          "/books",
          """
          {"settings":{"number_of_shards":2},"aliases":{"novels":{}},
           "mappings":{"properties":{"title":{"type":"text"},"isbn":{"type":"keyword"}}}}
          """);
      node.call(
          "PUT", "/stones", "{\"mappings\":{\"properties\":{\"kind\":{\"type\":\"keyword\"}}}}");
      for (int i = 0; i < 20; i++) {
        node.call("PUT", "/books/_doc/" + i, "{\"title\":\"the book\",\"isbn\":\"n" + i + "\"}");
        node.call("PUT", "/stones/_doc/" + i, "{\"kind\":\"basalt\",\"found\":" + i + "}");
      }
    }
  }

  @Test
  void nothingStartsUntilItIsRepairedAndThenEverythingIsThere() throws Exception {
    // given
    fill();
    Path store = folder.resolve("store");
    delete(store.resolve("cluster"));
    // then: refused, as often as one tries
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> new NodeFixture(folder))
          .isInstanceOf(IncompleteStateException.class)
          .hasMessageContaining("cluster/lease")
          .hasMessageContaining("./holdfast store repair");
    }
    assertThat(run("start", "--port", "0", "--data", folder.toString()))
        .startsWith("4 holdfast: the cluster state is incomplete: [cluster/lease] is missing");
    // when
    String dry = run("store", "repair", "--store", "file:" + store, "--dry-run");
    assertThat(dry).startsWith("0 ").contains("[books/").contains("nothing was written");
    assertThatThrownBy(() -> new NodeFixture(folder)).isInstanceOf(IncompleteStateException.class);
    String done = run("store", "repair", "--store", "file:" + store);
    assertThat(done).startsWith("0 ").contains("indices=2").contains("lost: cluster settings");
    // then
    try (NodeFixture node = new NodeFixture(folder)) {
      assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(20);
      assertThat(node.json("/novels/_count").path("count").asInt()).isEqualTo(20);
      assertThat(node.json("/stones/_count").path("count").asInt()).isEqualTo(20);
      assertThat(node.json("/books/_mapping").at("/books/mappings/properties/isbn/type").asText())
          .isEqualTo("keyword");
      assertThat(node.json("/books/_doc/7").at("/_source/isbn").asText()).isEqualTo("n7");
      assertThat(node.call("PUT", "/books/_doc/x", "{\"title\":\"new\"}").statusCode())
          .isEqualTo(201);
    }
    assertThat(run("store", "repair", "--store", "file:" + store))
        .startsWith("0 the cluster state is whole, there is nothing to repair");
  }

  @Test
  void aFolderThatIsNotMountedIsNoEmptyStore() throws Exception {
    fill();
    Path store = folder.resolve("store");
    Path away = folder.resolve("away");
    Files.move(store, away);

    assertThat(run("start", "--port", "0", "--data", folder.toString()))
        .startsWith("1 ")
        .contains("is it mounted?")
        .contains(folder.resolve("node.cluster").toString());

    delete(store);
    Files.move(away, store);
    try (NodeFixture node = new NodeFixture(folder)) {
      assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(20);
    }
  }

  @Test
  void aFolderThatIsUnmountedWhileANodeRunsIsWaitedFor() throws Exception {
    fill();
    Path store = folder.resolve("store");
    Path away = folder.resolve("away");
    World world = RealWorld.create();
    try (NodeFixture node = new NodeFixture(folder)) {
      assertThat(node.call("PUT", "/books/_doc/x", "{}").statusCode()).isEqualTo(201); // is awake
      Files.move(store, away);
      Begun<Integer> writing =
          Begun.of(world, "write", () -> node.call("PUT", "/books/_doc/y", "{}").statusCode());

      assertThat(
              Await.until(
                  world,
                  Duration.ofSeconds(30),
                  Duration.ofMillis(100),
                  () -> node.json("/_cluster/health").path("status").asText().equals("red")))
          .isTrue();
      assertThat(node.json("/_cluster/health").path("store_troubles").toString())
          .contains("reason=no_bucket")
          .contains("is it still mounted?");
      assertThat(writing.isDone()).isFalse();
      assertThat(Files.exists(store)).isFalse();

      Files.move(away, store);
      assertThat(writing.value(Duration.ofSeconds(30))).isEqualTo(201);
      node.call("POST", "/books/_refresh", "");
      assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(22);
    }
  }

  @Test
  void aSearchWhoseStoreIsGoneSaysSoAndEndsWithItsTimeout() throws Exception {
    fill();
    Path store = folder.resolve("store");
    try (NodeFixture node = new NodeFixture(folder)) {
      assertThat(node.json("/stones/_count").path("count").asInt()).isEqualTo(20); // books sleeps
      Files.move(store, folder.resolve("away"));

      HttpResponse<String> answer = node.call("GET", "/books/_search?timeout=1s", "");

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      assertThat(answer.body()).contains("no_bucket").contains("is it still mounted?");
      Files.move(folder.resolve("away"), store);
    }
  }

  @Test
  void aShardWithoutABlobIsNotMadeEmptyUnasked() throws Exception {
    fill();
    Path store = folder.resolve("store");
    delete(store.resolve("cluster"));
    String uuid;
    try (Stream<Path> files = Files.walk(store.resolve("shards"), 3)) {
      Path shard = files.filter(f -> f.endsWith("1")).findFirst().orElseThrow(); // of books
      uuid = shard.getParent().getFileName().toString();
      delete(shard);
    }

    assertThat(run("store", "repair", "--store", "file:" + store))
        .startsWith("1 ")
        .contains("--accept-loss");
    assertThat(Files.exists(store.resolve("cluster"))).isFalse();
    assertThat(run("store", "repair", "--store", "file:" + store, "--accept-loss"))
        .startsWith("0 ")
        .contains("missing: [books/" + uuid + "] has no blob of shard 1");
    try (NodeFixture node = new NodeFixture(folder)) {
      assertThat(node.json("/stones/_count").path("count").asInt()).isEqualTo(20);
      assertThat(node.json("/books/_count").path("count").asInt()).isBetween(1, 19);
    }
  }

  @Test
  void aDeletedIndexComesBackFromTheTrash() throws Exception {
    // given: blobs that the sweep took away
    fill();
    Path store = folder.resolve("store");
    String uuid;
    try (NodeFixture node = new NodeFixture(folder)) {
      uuid = node.json("/stones/_settings").at("/stones/settings/index/uuid").asText();
      node.call("DELETE", "/stones", "");
    }
    List<Path> blobs;
    try (Stream<Path> files = Files.walk(store.resolve("shards"))) {
      blobs = files.filter(f -> Files.isRegularFile(f) && f.toString().contains(uuid)).toList();
    }
    assertThat(blobs).isNotEmpty();
    for (Path blob : blobs) {
      Path to = store.resolve("trash/000000000000001").resolve(store.relativize(blob));
      Files.createDirectories(to.getParent());
      Files.move(blob, to);
    }
    // when
    assertThat(run("store", "repair", "--store", "file:" + store, "--restore", uuid))
        .startsWith("0 ")
        .contains("from its own commits: [stones/" + uuid);
    // then
    try (NodeFixture node = new NodeFixture(folder)) {
      assertThat(node.json("/stones/_count").path("count").asInt()).isEqualTo(20);
      assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(20);
    }
  }

  @Test
  void aPersonConfirmsOnlyWhatNoIndexHas() throws Exception {
    fill();
    try (NodeFixture node = new NodeFixture(folder)) {
      String uuid = node.json("/books/_settings").at("/books/settings/index/uuid").asText();

      assertThat(node.call("POST", "/_holdfast/gc/confirm?uuid=" + uuid, "").body())
          .contains("delete the index");
      assertThat(node.call("POST", "/_holdfast/gc/confirm", "").statusCode()).isEqualTo(400);
      assertThat(node.call("POST", "/_holdfast/gc/confirm?uuid=unknown", "").statusCode())
          .isEqualTo(200);
    }
  }
}
