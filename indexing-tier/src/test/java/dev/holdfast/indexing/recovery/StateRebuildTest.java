package dev.holdfast.indexing.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.DeletedIndices;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.log.IncompleteStateException;
import dev.holdfast.clusterstate.log.StateRepair;
import dev.holdfast.clusterstate.log.StateSurvey;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.file.FileStore;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A cluster state that is lost is made again from what the shards' own blobs carry.
@Timeout(120)
final class StateRebuildTest {
  private static final ClusterConfig FAST = ClusterConfig.defaults().faster(30);

  private final World world = RealWorld.create();
  @TempDir Path folder;

  @AfterEach
  void stop() {
    world.tasks().close();
  }

  private ObjectStore store(String kind) throws IOException {
    return kind.equals("file") ? new FileStore(folder.resolve("store")) : new MemoryStore();
  }

  private TestIndexingNode node(ObjectStore store, String name) throws Exception {
    return new TestIndexingNode(store, folder.resolve(name), TestIndexingNode.config());
  }

  private static void delete(ObjectStore store, String prefix) throws IOException {
    store.deleteAll(store.list(prefix, "", 1000).stream().map(ObjectStore.Listed::key).toList());
  }

  private StateRebuild.Rebuilt repaired(ObjectStore store) throws Exception {
    StateRepair repair = new StateRepair(world, store, FAST);
    repair.begin();
    StateRebuild.Rebuilt rebuilt = new StateRebuild(store).rebuild(repair.remnant());
    ClusterState written = repair.write(rebuilt.state(), rebuilt.newestTerm());
    assertThat(new StateSurvey(store).look())
        .isInstanceOfSatisfying(
            StateSurvey.Finding.Whole.class, whole -> assertThat(whole.state()).isEqualTo(written));
    return rebuilt;
  }

  /// A node with two indices whose last operations are in its log only dies.
  private ClusterState died(ObjectStore store) throws Exception {
    TestIndexingNode node = node(store, "dead");
    ShardId books = node.create("books");
    List<ShardId> stones = node.create("stones", 2, null);
    node.done(books, TestIndexingNode.index("a", "{\"x\":1}"));
    node.done(stones.get(0), TestIndexingNode.index("s", "{\"kind\":\"basalt\"}"));
    node.done(stones.get(1), TestIndexingNode.index("t", "{\"kind\":\"granite\"}"));
    node.cluster.update(
        "alias",
        state ->
            state.withIndex(
                state
                    .indices()
                    .get("books")
                    .withAliases(new TreeMap<>(Map.of("novels", Json.object())))));
    node.tier.flush(books);
    stones.forEach(shard -> {
      try {
        node.tier.flush(shard);
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    });
    node.done(books, TestIndexingNode.index("b", "{\"x\":2}"));
    ClusterState last = node.cluster.current();
    node.crash();
    return last;
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "memory"})
  void everythingIsServedAgainAfterTheWholeClusterFolderIsLost(String kind) throws Exception {
    ObjectStore store = store(kind);
    ClusterState before = died(store);
    delete(store, "cluster/");
    assertThatThrownBy(() -> node(store, "refused")).isInstanceOf(IncompleteStateException.class);
    // when
    StateRebuild.Rebuilt rebuilt = repaired(store);
    // then
    assertThat(rebuilt.missing()).isEmpty();
    assertThat(rebuilt.state().clusterUuid()).isEqualTo(before.clusterUuid());
    assertThat(rebuilt.newestTerm()).isEqualTo(before.term());
    TestIndexingNode next = node(store, "next");
    for (String name : List.of("books", "stones")) {
      IndexMetadata was = before.indices().get(name);
      IndexMetadata is = next.cluster.current().indices().get(name);
      assertThat(is.withPrimaryTerms(was.primaryTerms())).isEqualTo(was);
      assertThat(is.primaryTerms()).allMatch(term -> term > 1000);
    }
    ShardId books = new ShardId(before.indices().get("books").id(), 0);
    ShardId stones = new ShardId(before.indices().get("stones").id(), 1);
    assertThat(next.source(books, "a")).isEqualTo("{\"x\":1}");
    assertThat(next.source(books, "b")).as("from the log").isEqualTo("{\"x\":2}");
    assertThat(next.source(stones, "t")).isEqualTo("{\"kind\":\"granite\"}");
    next.close();
  }

  @Test
  void whatIsLeftOfTheStateIsKept() throws Exception {
    ObjectStore store = store("memory");
    TestIndexingNode node = node(store, "dead");
    ShardId books = node.create("books");
    node.done(books, TestIndexingNode.index("a", "{\"x\":1}"));
    node.cluster.update("pipeline", s -> s.withCustom("pipelines", Json.object().put("p", "q")));
    node.create("other");
    node.cluster.update("delete", s -> s.withoutIndex("other"));
    node.crash();
    List<String> states =
        store.list("cluster/state/", "", 1000).stream().map(ObjectStore.Listed::key).toList();
    String missing = states.get(1); // the index was made; a later one says it again
    store.deleteAll(List.of(missing));
    // when
    StateRepair repair = new StateRepair(world, store, FAST);
    assertThat(repair.remnant().broken()).containsExactly(missing);
    StateRebuild.Rebuilt rebuilt = repaired(store);
    // then
    assertThat(rebuilt.state().customs()).containsKey("pipelines");
    assertThat(rebuilt.state().indices()).containsOnlyKeys("books");
    assertThat(rebuilt.notes()).noneMatch(note -> note.startsWith("lost"));
  }

  @Test
  void whatAHoleHidesIsTakenFromTheCommits() throws Exception {
    ObjectStore store = store("memory");
    TestIndexingNode node = node(store, "dead");
    ShardId books = node.create("books");
    Set<String> before = states(store);
    node.done(books, TestIndexingNode.index("a", "{\"title\":\"fox\"}"));
    Set<String> grown = states(store);
    grown.removeAll(before); // one of them says that there is a title
    node.tier.flush(books);
    node.cluster.update("pipeline", s -> s.withCustom("pipelines", Json.object().put("p", "q")));
    node.crash();
    store.deleteAll(List.copyOf(grown));

    StateRebuild.Rebuilt rebuilt = repaired(store);

    assertThat(rebuilt.state().indices().get("books").mapping().at("/properties/title").isObject())
        .isTrue();
    assertThat(rebuilt.state().customs()).containsKey("pipelines");
    assertThat(rebuilt.notes()).anyMatch(note -> note.startsWith("from its own commits: [books"));
  }

  private static Set<String> states(ObjectStore store) throws IOException {
    return store.list("cluster/state/", "", 1000).stream()
        .map(ObjectStore.Listed::key)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theLeaseAloneIsMadeAgain() throws Exception {
    ObjectStore store = store("memory");
    ClusterState before = died(store);
    delete(store, "cluster/lease");

    repaired(store);

    TestIndexingNode next = node(store, "next");
    assertThat(next.cluster.current().indices().keySet()).isEqualTo(before.indices().keySet());
    assertThat(next.cluster.current().term()).isGreaterThan(before.term() + 1);
    next.close();
  }

  @Test
  void aDamagedLeaseIsMadeAgain() throws Exception {
    ObjectStore store = store("memory");
    died(store);
    store.put("cluster/lease", ObjectBody.of(new byte[] {1, 2, 3}));

    repaired(store);

    node(store, "next").close();
  }

  @Test
  void aShardWithoutABlobIsNamed() throws Exception {
    ObjectStore store = store("memory");
    ClusterState before = died(store);
    ShardId gone = new ShardId(before.indices().get("stones").id(), 1);
    delete(store, "cluster/");
    delete(store, gone.folder());

    assertThat(repaired(store).missing()).containsExactly(gone);
  }

  @Test
  void anIndexThatTheStateKnowsToBeDeletedStaysDeleted() throws Exception {
    ObjectStore store = store("memory");
    TestIndexingNode node = node(store, "dead");
    ShardId books = node.create("books");
    node.done(books, TestIndexingNode.index("a", "{\"x\":1}"));
    List<BlobId> blobs = new CommitStore(store, books).list();
    byte[] blob = store.get(blobs.getFirst().key(books)).orElseThrow().bytes();
    node.cluster.update("delete", s -> s.withoutIndex("books"));
    assertThat(DeletedIndices.contains(node.cluster.current(), books.index().uuid())).isTrue();
    node.crash();
    store.put(blobs.getFirst().key(books), ObjectBody.of(blob)); // not deleted yet
    delete(store, "cluster/lease");

    StateRebuild.Rebuilt rebuilt = repaired(store);

    assertThat(rebuilt.state().indices()).isEmpty();
    assertThat(rebuilt.notes()).anyMatch(note -> note.startsWith("left out"));
  }

  @Test
  void aLeaderThatAnswersIsNotReplaced() throws Exception {
    ObjectStore store = store("memory");
    TestIndexingNode node = node(store, "lives");

    assertThatThrownBy(() -> new StateRepair(world, store, ClusterConfig.defaults()).begin())
        .hasMessageContaining("a node leads this cluster and answers");
    node.close();
  }
}
