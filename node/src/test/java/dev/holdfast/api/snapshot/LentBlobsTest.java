package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.LentBlobs;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Restored indices that are read in their snapshot until the store has copied what they begin with
/// (decision 038).
final class LentBlobsTest {
  private static final String SUM = "{\"size\":0,\"aggs\":{\"s\":{\"sum\":{\"field\":\"n\"}}}}";

  @TempDir Path folder;

  private static Map<String, String> delay(String copyDelay) {
    return Map.of(
        "gc.grace", "60ms",
        "gc.sweep_every", "100ms",
        "gc.sweep_delay", "10ms",
        "gc.trash", "10ms",
        "restore.copy_delay", copyDelay);
  }

  /// An index of two shards, a snapshot of it, and nothing else.
  private static void snapshot(NodeFixture node) throws Exception {
    node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
    node.ok("PUT", "/books", "{\"settings\":{\"number_of_shards\":2}}");
    node.fill("books", 100);
    node.ok("PUT", "/_snapshot/r/s?wait_for_completion=true", "");
    node.ok("DELETE", "/books", "");
  }

  private static void restore(NodeFixture node) throws Exception {
    JsonNode shards =
        node.ok("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", "")
            .at("/snapshot/shards");
    assertThat(shards.path("successful").asInt()).isEqualTo(2);
  }

  private static void requireAll(NodeFixture node, String index, int documents) throws Exception {
    JsonNode found = node.json("POST", "/" + index + "/_search", SUM);
    assertThat(found.at("/_shards/failed").asInt()).as(found.toString()).isZero();
    assertThat(found.at("/hits/total/value").asInt()).as(found.toString()).isEqualTo(documents);
    assertThat(found.at("/aggregations/s/value").asLong())
        .isEqualTo((long) documents * (documents - 1) / 2);
  }

  /// Blobs in the store that are copies.
  private Set<String> copies() throws Exception {
    Set<String> files = new TreeSet<>(StoredFiles.below(folder.resolve("store/shards")));
    files.removeIf(file -> !file.contains("/ffffffffffffffff/"));
    return files;
  }

  private static boolean isBeingCopied(NodeFixture node, String index) throws Exception {
    for (JsonNode shard : node.json("/" + index + "/_recovery").at("/" + index + "/shards")) {
      if (shard.at("/source/is_being_copied").asBoolean()) {
        return true;
      }
    }
    return false;
  }

  @Test
  void aRestoredIndexIsUsedBeforeAnythingIsCopiedAndKeepsAllWhenTheSnapshotGoes() throws Exception {
    // given
    try (NodeFixture node = new NodeFixture(folder, delay("1h"))) {
      snapshot(node);
      // when
      restore(node);
      // then
      requireAll(node, "books", 100);
      assertThat(copies()).isEmpty();
      assertThat(isBeingCopied(node, "books")).isTrue();
      assertThat(node.json("/_cluster/health").path("status").asText()).isEqualTo("green");
      // when: it is written to and merged, closed and opened, and lies idle
      node.fill("books", 150);
      node.ok("POST", "/books/_forcemerge?max_num_segments=1", "");
      requireAll(node, "books", 150);
      node.ok("POST", "/books/_close", "");
      node.ok("POST", "/books/_open?wait_for_active_shards=1", "");
      node.ok("POST", "/books/_refresh", "");
      // then
      requireAll(node, "books", 150);
      assertThat(copies()).isEmpty();
    }
    // when: the next owner copies
    try (NodeFixture node = new NodeFixture(folder, delay("1ms"))) {
      requireAll(node, "books", 150);
      node.ok("DELETE", "/_snapshot/r/s", ""); // waits for it
      assertThat(isBeingCopied(node, "books")).isFalse();
      requireAll(node, "books", 150);
    }
    try (NodeFixture node = new NodeFixture(folder, delay("1ms"))) {
      requireAll(node, "books", 150);
    }
  }

  /// Documents beside those that it has.
  private static void add(NodeFixture node, int from, int to) throws Exception {
    StringBuilder bulk = new StringBuilder();
    for (int i = from; i < to; i++) {
      bulk.append("{\"index\":{\"_id\":\"" + i + "\"}}\n{\"n\":" + i + "}\n");
    }
    assertThat(node.ok("POST", "/books/_bulk?refresh=true", bulk.toString()).path("errors"))
        .hasToString("false");
  }

  @Test
  void theNextOwnerReadsInTheSnapshotTooAndTheOneAfterHimCopies() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, delay("1h"))) {
      snapshot(node);
      restore(node);
    }
    try (NodeFixture node = new NodeFixture(folder, delay("1h"))) {
      requireAll(node, "books", 100);
      add(node, 100, 120);
      requireAll(node, "books", 120);
      assertThat(copies()).isEmpty();
      assertThat(node.json("/_cluster/health").path("status").asText()).isEqualTo("green");
      assertThat(node.json("/_health_report").path("status").asText()).isEqualTo("green");
    }
    try (NodeFixture node = new NodeFixture(folder, delay("1ms"))) {
      node.ok("DELETE", "/_snapshot/r/s", ""); // waits for them
      assertThat(copies()).isNotEmpty();
      Eventually.holds(() -> onlyOf(node, "books"));
      requireAll(node, "books", 120);
    }
    try (NodeFixture node = new NodeFixture(folder, delay("1ms"))) {
      requireAll(node, "books", 120);
    }
  }

  /// Whether the store has blobs of no other index.
  private boolean onlyOf(NodeFixture node, String index) throws Exception {
    String settings = "/" + index + "/settings/index/uuid";
    String uuid = node.json("/" + index + "/_settings").at(settings).asText();
    return StoredFiles.below(folder.resolve("store/shards")).stream()
        .allMatch(file -> file.contains("/" + uuid + "/"));
  }

  @Test
  void aSnapshotOfItWaitsForTheCopiesAndHasAll() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, delay("1s"))) {
      // given
      snapshot(node);
      restore(node);
      // when
      JsonNode made = node.ok("PUT", "/_snapshot/r/second?wait_for_completion=true", "");
      // then
      assertThat(made.at("/snapshot/state").asText()).as(made.toString()).isEqualTo("SUCCESS");
      assertThat(copies()).isNotEmpty();
      // when: all goes that it was made of
      node.ok("DELETE", "/_snapshot/r/s", "");
      node.ok("DELETE", "/books", "");
      Eventually.holds(() -> StoredFiles.below(folder.resolve("store/trash")).isEmpty());
      node.ok("POST", "/_snapshot/r/second/_restore?wait_for_completion=true", "");
      // then
      requireAll(node, "books", 100);
    }
  }

  @Test
  void aCloneOfItWaitsForTheCopies() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, delay("1s"))) {
      snapshot(node);
      restore(node);
      node.ok("PUT", "/books/_settings", "{\"index.blocks.write\":true}");
      node.ok("POST", "/books/_clone/copy", "");
      node.ok("DELETE", "/books", "");
      node.ok("DELETE", "/_snapshot/r/s", "");
      Eventually.holds(() -> StoredFiles.below(folder.resolve("store/trash")).isEmpty());
      requireAll(node, "copy", 100);
    }
    try (NodeFixture node = new NodeFixture(folder, delay("1s"))) {
      requireAll(node, "copy", 100);
    }
  }

  @Test
  void aSplitOfItWhileItIsWrittenCopiesWhatIsLent() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, delay("1h"))) {
      snapshot(node);
      restore(node);
      add(node, 100, 120); // from the first write on the state knows that the shards are there
      node.ok(
          "POST",
          "/books/_reshard?wait_for_completion=true&timeout=60s",
          "{\"number_of_shards\":4}");
      node.ok("POST", "/books/_refresh", "");
      requireAll(node, "books", 120);
    }
    try (NodeFixture node = new NodeFixture(folder, delay("1ms"))) {
      node.ok("DELETE", "/_snapshot/r/s", "");
      requireAll(node, "books", 120);
    }
    try (NodeFixture node = new NodeFixture(folder, delay("1ms"))) {
      requireAll(node, "books", 120);
    }
  }

  @Test
  void aDeletedOneLeavesNothingBehind() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, delay("1h"))) {
      snapshot(node);
      restore(node);
      node.ok("DELETE", "/books", "");
      node.ok("DELETE", "/_snapshot/r/s", ""); // at once: nobody reads in it any more
      Eventually.holds(() -> StoredFiles.below(folder.resolve("store/shards")).isEmpty());
    }
  }

  private static ClusterState lent(SnapshotReference snapshot, Set<Integer> shards) {
    IndexMetadata index =
        new IndexMetadata(
                new IndexId("books", "u"),
                2,
                new TreeMap<>(),
                1,
                Json.object(),
                1,
                new TreeMap<>(),
                true,
                List.of(1L, 1L))
            .withOrigin(
                new IndexOrigin(
                    "o",
                    2,
                    snapshot,
                    new LentBlobs("pins/snapshots/place/s", new TreeSet<>(shards))),
                List.of(1L, 1L));
    return ClusterState.empty("c")
        .withCustom("minimum_version", IntNode.valueOf(Formats.LENT_BLOBS))
        .withIndex(index);
  }

  @Test
  void theSnapshotStaysUntilTheLastShardIsCopied() {
    SnapshotReference snapshot = new SnapshotReference("r", "s", "uuid");
    ClusterState both = lent(snapshot, Set.of(0, 1));
    ClusterState one = LentBlobs.copied(both, new ShardId(new IndexId("books", "u"), 0));
    ClusterState none = LentBlobs.copied(one, new ShardId(new IndexId("books", "u"), 1));
    for (ClusterState state : List.of(both, one)) {
      assertThatThrownBy(() -> RepositoryUse.requireNotRestored(state, snapshot, Set.of()))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("during a restore in progress");
      assertThatThrownBy(() -> RepositoryUse.requireUnused(state, "r", Set.of()))
          .isInstanceOf(Refusal.class);
    }
    assertThat(LentBlobs.copied(none, new ShardId(new IndexId("books", "u"), 1))).isSameAs(none);
    RepositoryUse.requireNotRestored(none, snapshot, Set.of("u"));
    RepositoryUse.requireUnused(none, "r", Set.of("u"));
  }

  /// Of one that is damaged nobody knows the uuid, and its blobs are kept as long as it is there.
  @Test
  void aSnapshotThatCannotBeReadStaysAsLongAsAShardIsReadInIt() throws Exception {
    World world = RealWorld.create();
    try (ObjectStore store = new MemoryStore()) {
      Repository samePlace = new Repository("other", "fs", new TreeMap<>());
      SnapshotRepository repository =
          new SnapshotRepository(world, samePlace, store, true, "pins/snapshots/place/");
      ClusterState state = lent(new SnapshotReference("r", "s", "uuid"), Set.of(1));
      assertThatThrownBy(() -> RepositoryUse.requireNotLent(state, repository, "s"))
          .isInstanceOf(Refusal.class);
      assertThat(RepositoryUse.requireNotLent(state, repository, "t")).isSameAs(state);
      ClusterState copied = LentBlobs.copied(state, new ShardId(new IndexId("books", "u"), 1));
      assertThat(RepositoryUse.requireNotLent(copied, repository, "s")).isSameAs(copied);
    } finally {
      world.tasks().close();
    }
  }
}
