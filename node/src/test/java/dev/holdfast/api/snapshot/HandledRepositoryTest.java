package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.indexing.repository.Cleaning;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshotState;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A repository in a folder that people, and other clusters, lay hands on.
final class HandledRepositoryTest {
  private static final String FS = "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}";
  private static final String AWAITED = "?wait_for_completion=true";

  @TempDir Path folder;
  @TempDir Path shared;

  private NodeFixture node() throws Exception {
    return new NodeFixture(folder, Map.of("path.repo", shared.toString()));
  }

  private Path snapshots() {
    return shared.resolve("place/snapshots");
  }

  private List<Path> blobs() throws IOException {
    return StoredFiles.below(shared.resolve("place/blobs")).stream()
        .map(shared.resolve("place/blobs")::resolve)
        .toList();
  }

  private static List<String> names(NodeFixture node) throws Exception {
    return node.json("/_snapshot/r/_all").path("snapshots").findValuesAsText("snapshot");
  }

  private ObjectStore store(World world) throws Exception {
    return Stores.open("file:" + shared.resolve("place"), new TreeMap<>(), world);
  }

  private static SnapshotRepository repository(World world, ObjectStore store) {
    return new SnapshotRepository(
        world, new Repository("r", "fs", new TreeMap<>()), store, false, "snapshots/");
  }

  @Test
  void whatIsNoSnapshotIsPassedOver() throws Exception {
    try (NodeFixture node = node()) {
      node.ok("PUT", "/_snapshot/r", FS);
      node.fill("books", 3);
      node.ok("PUT", "/_snapshot/r/s1" + AWAITED, "");
      for (String name : List.of("~zz", "~4", "README.txt", "a b")) {
        Files.writeString(snapshots().resolve(name), "not a snapshot");
      }

      assertThat(names(node)).containsExactly("s1");
      node.ok("PUT", "/_snapshot/r/s2" + AWAITED, "");
      node.ok("DELETE", "/_snapshot/r/*", "");
      assertThat(names(node)).isEmpty();
    }
  }

  @Test
  void aCopyIsNotTheSnapshotThatItIsACopyOf() throws Exception {
    try (NodeFixture node = node()) {
      node.ok("PUT", "/_snapshot/r", FS);
      node.fill("books", 3);
      node.ok("PUT", "/_snapshot/r/s1" + AWAITED, "");
      Files.copy(snapshots().resolve("s1+register"), snapshots().resolve("copy+register"));

      assertThat(node.refused(500, "GET", "/_snapshot/r/copy", "").toString())
          .contains("it is a copy of the snapshot [s1]");
      node.refused(500, "POST", "/_snapshot/r/copy/_restore", "");
      for (var refused :
          List.of(
              node.refused(500, "POST", "/_snapshot/r/_cleanup", ""),
              node.refused(500, "PUT", "/_snapshot/r/copy/_clone/c", "{\"indices\":\"*\"}"))) {
        assertThat(refused.path("error").path("type").asText()).isEqualTo("snapshot_exception");
        assertThat(refused.path("error").path("reason").asText())
            .startsWith("[r:copy] cannot be read");
      }
      node.ok("DELETE", "/_snapshot/r/copy", "");
      assertThat(names(node)).containsExactly("s1");
      node.ok("DELETE", "/books", "");
      node.ok("POST", "/_snapshot/r/s1/_restore" + AWAITED, "");
      assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(3);
    }
  }

  @Test
  void aBlobThatWasRemovedOrCutIsCopiedAgain() throws Exception {
    try (NodeFixture node = node()) {
      node.ok("PUT", "/_snapshot/r", FS);
      node.fill("books", 3);
      node.fill("films", 3);
      node.ok("PUT", "/_snapshot/r/s1" + AWAITED, "");
      List<Path> blobs = blobs();
      assertThat(blobs).hasSize(2);
      Files.delete(blobs.get(0));
      Files.write(blobs.get(1), new byte[] {1, 2, 3});

      node.ok("PUT", "/_snapshot/r/s2" + AWAITED, "");
      node.ok("DELETE", "/books,films", "");
      var shards =
          node.ok("POST", "/_snapshot/r/s2/_restore" + AWAITED, "").path("snapshot").path("shards");
      assertThat(shards.path("successful").asInt()).isEqualTo(2);
      assertThat(node.json("/books,films/_count").path("count").asInt()).isEqualTo(6);
    }
  }

  @Test
  void aCleanupThatNobodyEndedIsEndedAndASecondOneIsRefused() throws Exception {
    World world = RealWorld.create();
    String cluster;
    try (NodeFixture node = node()) {
      node.ok("PUT", "/_snapshot/r", FS);
      node.fill("books", 3);
      cluster = node.json("/").path("cluster_uuid").asText();
      try (ObjectStore store = store(world)) {
        begin(store, new Cleaning("another cluster", "somebody", "u"));
        var error = node.refused(400, "POST", "/_snapshot/r/_cleanup", "").path("error");
        assertThat(error.path("type").asText()).isEqualTo("illegal_state_exception");
        assertThat(error.path("reason").asText())
            .as("who is waited for in vain")
            .contains("another cluster", "snapshots/~cleaning");
        repository(world, store).endCleaning();
        node.ok("POST", "/_snapshot/r/_cleanup", "");
        begin(store, new Cleaning(cluster, "gone", "u"));
      }
    }
    try (NodeFixture node = node();
        ObjectStore store = store(world)) {
      Eventually.holds(() -> repository(world, store).cleaning().isEmpty());
      node.ok("PUT", "/_snapshot/r/s1" + AWAITED, "");
    }
  }

  private static void begin(ObjectStore store, Cleaning who) throws Exception {
    String text = who.cluster() + "/" + who.node() + "/" + who.uuid();
    assertThat(store.compareAndSet("snapshots/~cleaning", null, text.getBytes("US-ASCII")))
        .isInstanceOf(ObjectStore.Swap.Swapped.class);
  }

  private static SnapshotManifest begun(String name, String cluster) {
    return new SnapshotManifest(
        name,
        name,
        SnapshotState.STARTED,
        "gone",
        1,
        0,
        false,
        Json.object().put("cluster", cluster),
        new TreeMap<>());
  }

  @Test
  void whatAnotherClusterIsMakingIsNotGivenUp() throws Exception {
    World world = RealWorld.create();
    String cluster;
    try (NodeFixture node = node()) {
      node.ok("PUT", "/_snapshot/r", FS);
      cluster = node.json("/").path("cluster_uuid").asText();
    }
    try (ObjectStore store = store(world)) {
      SnapshotRepository repository = repository(world, store);
      assertThat(repository.write(begun("ours", cluster), null)).isPresent();
      assertThat(repository.write(begun("theirs", "another"), null)).isPresent();
      assertThat(repository.write(begun("unknown", ""), null)).isPresent();
    }
    try (NodeFixture node = node()) {
      Eventually.holds(() -> names(node).equals(List.of("theirs")));
      node.ok("DELETE", "/_snapshot/r/theirs", "");
      assertThat(names(node)).isEmpty();
    }
  }

  @Test
  void allOfNoRepositoriesAreForgotten() throws Exception {
    try (NodeFixture node = node()) {
      node.ok("DELETE", "/_snapshot/*", "");
      node.refused(404, "DELETE", "/_snapshot/x*", "");
    }
  }
}
