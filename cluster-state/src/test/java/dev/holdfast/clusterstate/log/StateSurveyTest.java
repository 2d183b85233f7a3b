package dev.holdfast.clusterstate.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.file.FileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A state that is lost or has a hole is never taken for no state.
final class StateSurveyTest {
  @TempDir Path folder;

  private ObjectStore store(String kind) throws Exception {
    return kind.equals("file") ? new FileStore(folder.resolve("store")) : new MemoryStore();
  }

  /// A cluster of one node that has made some states and then died; its store.
  private ObjectStore ended(String kind, int indices) throws Exception {
    ObjectStore store = store(kind);
    try (TestCluster cluster = new TestCluster(folder, store)) {
      TestCluster.TestMember leader = cluster.startIn(folder.resolve("data"));
      for (int i = 0; i < indices; i++) {
        String name = "index-" + i;
        leader.node.update("create", s -> s.withIndex(TestCluster.index(name, 1, 0)));
      }
      leader.crash();
    }
    store.put("shards/00/uuid-index-0/0/f/f", ObjectBody.of(new byte[] {1}));
    return store;
  }

  private static List<String> keys(ObjectStore store, String prefix) throws IOException {
    return new ArrayList<>(
        store.list(prefix, "", 1000).stream().map(ObjectStore.Listed::key).toList());
  }

  /// A new process over that store fails with that key, and changes nothing.
  private void refusesFor(ObjectStore store, String key) throws Exception {
    Set<String> before = new TreeSet<>(keys(store, ""));
    try (TestCluster cluster = new TestCluster(folder, store)) {
      assertThatThrownBy(() -> cluster.startIn(folder.resolve("data")))
          .isInstanceOfSatisfying(
              IncompleteStateException.class, e -> assertThat(e.key()).isEqualTo(key))
          .hasMessageContaining(key)
          .hasMessageContaining("./holdfast store repair");
    }
    assertThat(new TreeSet<>(keys(store, ""))).isEqualTo(before);
  }

  @Test
  void aStoreWithoutAClusterIsEmptyWhateverElseLiesThere() throws Exception {
    ObjectStore store = store("memory");
    store.put("probe/uuid/created", ObjectBody.of(new byte[] {1}));

    assertThat(new StateSurvey(store).look()).isInstanceOf(StateSurvey.Finding.Empty.class);
  }

  @Test
  void aLeaderThatDiedBeforeItsFirstStateLeftNothing() throws Exception {
    ObjectStore store = store("memory");
    LeaseRegister register = new LeaseRegister(store);
    register.replace(register.read(), Lease.none().claimedBy("dead", "nowhere:1"));

    assertThat(new StateSurvey(store).look()).isInstanceOf(StateSurvey.Finding.Empty.class);
    store.put("log/dead/0000000000000000", ObjectBody.of(new byte[] {1}));
    assertThat(new StateSurvey(store).look()).isInstanceOf(StateSurvey.Finding.Damaged.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "memory"})
  void aWholeStateIsRead(String kind) throws Exception {
    ObjectStore store = ended(kind, 120);

    assertThat(new StateSurvey(store).look())
        .isInstanceOfSatisfying(
            StateSurvey.Finding.Whole.class,
            whole -> assertThat(whole.state().indices()).hasSize(120));
    try (TestCluster cluster = new TestCluster(folder, store)) {
      assertThat(cluster.startIn(folder.resolve("data")).node.current().indices()).hasSize(120);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "memory"})
  void withoutTheFolderOfStatesNothingStarts(String kind) throws Exception {
    ObjectStore store = ended(kind, 5);
    store.deleteAll(keys(store, "cluster/state/"));

    // the lease says which state it knows of
    refusesFor(store, StateObjects.key(1, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "memory"})
  void withoutLeaseAndStatesNothingStartsWhereAnythingOfAClusterIs(String kind) throws Exception {
    ObjectStore store = ended(kind, 5);
    store.deleteAll(keys(store, "cluster/"));

    refusesFor(store, Lease.KEY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "memory"})
  void withoutTheLeaseNothingStarts(String kind) throws Exception {
    ObjectStore store = ended(kind, 5);
    store.deleteAll(List.of(Lease.KEY));

    refusesFor(store, Lease.KEY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "memory"})
  void aMissingStateInTheMiddleIsNamed(String kind) throws Exception {
    ObjectStore store = ended(kind, 120);
    String missing = StateObjects.key(1, 107);
    store.deleteAll(List.of(missing));

    refusesFor(store, missing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "memory"})
  void aMissingWholeStateIsNamed(String kind) throws Exception {
    ObjectStore store = ended(kind, 120);
    String missing = StateObjects.key(1, 100);
    store.deleteAll(List.of(missing));

    refusesFor(store, missing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "memory"})
  void aDamagedStateIsNamed(String kind) throws Exception {
    ObjectStore store = ended(kind, 5);
    String damaged = StateObjects.key(1, 3);
    byte[] bytes = store.get(damaged).orElseThrow().bytes();
    bytes[bytes.length / 2] ^= 4;
    store.put(damaged, ObjectBody.of(bytes));

    refusesFor(store, damaged);
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "file", "register"})
  void aDamagedLeaseIsNamed(String kind) throws Exception {
    ObjectStore store = ended(kind.equals("memory") ? "memory" : "file", 5);
    if (kind.equals("register")) {
      try (Stream<Path> files = Files.walk(folder)) {
        Path register =
            files.filter(file -> file.endsWith("lease+register")).findFirst().orElseThrow();
        Files.write(register, new byte[] {1, 2, 3});
      }
    } else {
      byte[] bytes = store.get(Lease.KEY).orElseThrow().bytes();
      bytes[bytes.length / 2] ^= 4;
      store.put(Lease.KEY, ObjectBody.of(bytes));
    }

    assertThat(new StateSurvey(store).look())
        .isInstanceOfSatisfying(
            StateSurvey.Finding.Damaged.class,
            damaged -> assertThat(damaged.exception().key()).isEqualTo(Lease.KEY));
  }

  @Test
  void theLastStateOfACleanStopIsMissed() throws Exception {
    ObjectStore store = store("memory");
    try (TestCluster cluster = new TestCluster(folder, store)) {
      TestCluster.TestMember leader = cluster.startIn(folder.resolve("data"));
      leader.node.update("create", s -> s.withIndex(TestCluster.index("a", 1, 0)));
      leader.stop();
    }
    List<String> states = keys(store, "cluster/state/");
    store.deleteAll(List.of(states.getLast()));

    refusesFor(store, states.getLast());
  }

  @Test
  void theStatesOfANewerTermAreMissed() throws Exception {
    ObjectStore store = ended("memory", 5);
    try (TestCluster cluster = new TestCluster(folder, store)) {
      cluster.startIn(folder.resolve("data")).crash();
    }
    store.deleteAll(keys(store, StateObjects.FOLDER + "0000000000000002/"));

    refusesFor(store, StateObjects.key(2, 0));
  }

  /// What a follower knows fills a hole: it leads on, and its first state is whole.
  @Test
  void aFollowerThatKnowsTheStateNeedsNotRead() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TestCluster.TestMember leader = cluster.start();
      TestCluster.TestMember follower = cluster.start();
      for (int i = 0; i < 5; i++) {
        String name = "index-" + i;
        leader.node.update("create", s -> s.withIndex(TestCluster.index(name, 1, 0)));
      }
      cluster.store.deleteAll(List.of(StateObjects.key(1, 3)));
      leader.crash();

      cluster.until("it leads", follower::leads);

      assertThat(follower.node.current().indices()).hasSize(5);
      assertThat(new StateSurvey(cluster.store).look())
          .isInstanceOf(StateSurvey.Finding.Whole.class);
    }
  }

  @Test
  void statesOfOlderTermsAreDeletedButAFenceOnlyOfALeaderThatStoppedInOrder() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TestCluster.TestMember first = cluster.startIn(folder.resolve("a"));
      first.node.update("create", s -> s.withIndex(TestCluster.index("a", 1, 0)));
      TestCluster.TestMember second = cluster.startIn(folder.resolve("b"));
      first.crash();
      cluster.until("it leads", second::leads);

      cluster.until("its fence is left", () -> names(cluster, 1).size() == 1);

      second.stop();
      cluster.startIn(folder.resolve("c"));
      cluster.until("nothing is left", () -> names(cluster, 2).isEmpty());
      assertThat(names(cluster, 1)).hasSize(1);
    }
  }

  private static List<String> names(TestCluster cluster, long term) {
    try {
      String key = StateObjects.key(term, 0);
      return keys(cluster.store, key.substring(0, key.lastIndexOf('/') + 1));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nodesThatStartAtOnceOverAnEmptyStoreAllBecomeMembers() throws Exception {
    for (int round = 0; round < 10; round++) {
      try (TestCluster cluster = new TestCluster(folder.resolve("round-" + round))) {
        List<Throwable> failures = new ArrayList<>();
        List<Thread> starts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          Path data = folder.resolve("round-" + round).resolve("own-" + i);
          starts.add(
              Thread.ofPlatform()
                  .start(() -> {
                    try {
                      cluster.startIn(data);
                    } catch (Throwable e) {
                      synchronized (failures) {
                        failures.add(e);
                      }
                    }
                  }));
        }
        for (Thread start : starts) {
          start.join();
        }
        assertThat(failures).isEmpty();
      }
    }
  }
}
