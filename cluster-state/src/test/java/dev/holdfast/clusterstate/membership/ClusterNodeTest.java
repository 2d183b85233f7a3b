package dev.holdfast.clusterstate.membership;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.clusterstate.log.IncompleteStateException;
import dev.holdfast.clusterstate.log.StateLog;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.MemoryNetwork;
import dev.holdfast.world.NewerFormatException;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterNodeTest {
  @TempDir Path folder;

  private final World world = RealWorld.create();
  private final ObjectStore store = new MemoryStore();
  private final List<String> evictions = new CopyOnWriteArrayList<>();
  private final List<String> fenced = new ArrayList<>();

  private final MemoryNetwork network = new MemoryNetwork(world);
  private int nodes;

  private ClusterNode join(DataFolder data) throws Exception {
    return join(data, store);
  }

  private ClusterNode join(DataFolder data, ObjectStore store) throws Exception {
    String address = "node-" + nodes++ + ":9200";
    Surroundings around =
        new Surroundings(
            world,
            store,
            network.at(address),
            ClusterConfig.defaults(),
            (node, durable, leads) -> fenced.add(node));
    Member self =
        new Member(
            world.ids().uuid(),
            address,
            address,
            new TreeSet<>(List.of(Role.values())),
            1 << 30,
            0,
            false,
            Build.here("test"));
    return ClusterNode.join(around, data, self, SelfReport.NOTHING, evictions::add);
  }

  private static IndexMetadata index(String name) {
    return new IndexMetadata(
        new IndexId(name, "uuid-" + name),
        1,
        new TreeMap<>(Map.of("index.number_of_shards", "1")),
        1,
        Json.parseObject("{\"properties\":{\"a\":{\"type\":\"long\"}}}"),
        1,
        new TreeMap<>(),
        true,
        List.of(1L));
  }

  @Test
  void aChangeThatNeedsMoreStackThanThereIsEndsNoOther() throws Exception {
    try (DataFolder data = DataFolder.lock(folder);
        ClusterNode node = join(data)) {
      assertThatThrownBy(() -> node.update("endless", ClusterNodeTest::endless))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("nested too deep");

      ClusterState later = node.update("create", state -> state.withIndex(index("later")));

      assertThat(later.indices()).containsKey("later");
    }
  }

  @Test
  void aChangeThatEndsInAnErrorEndsNoOther() throws Exception {
    try (DataFolder data = DataFolder.lock(folder);
        ClusterNode node = join(data)) {
      assertThatThrownBy(() ->
              node.update(
                  "broken",
                  state -> {
                    throw new NoClassDefFoundError("gone");
                  }))
          .isInstanceOf(IllegalStateException.class)
          .hasStackTraceContaining("gone");

      ClusterState later = node.update("create", state -> state.withIndex(index("later")));

      assertThat(later.indices()).containsKey("later");
    }
  }

  private static ClusterState endless(ClusterState state) {
    return endless(state).withIndex(index("never"));
  }

  @Test
  void aStateThatHoldsTheDeepestRequestIsReadAgain() throws Exception {
    String deepest = "{\"a\":".repeat(Json.DEPTH_MAX) + "1" + "}".repeat(Json.DEPTH_MAX);
    ObjectNode mapping = (ObjectNode) Json.parseGiven(deepest.getBytes(UTF_8), 0, deepest.length());
    IndexMetadata index = index("deep");
    try (DataFolder data = DataFolder.lock(folder)) {
      join(data).update("create", state -> state.withIndex(index.withMapping(mapping)));
      // no close: the process dies here
    }
    try (DataFolder data = DataFolder.lock(folder)) {
      assertThat(join(data).current().indices().get("deep").mapping()).isEqualTo(mapping);
    }
  }

  @Test
  void stateSurvivesACrashOfTheProcess() throws Exception {
    ClusterState last;
    try (DataFolder data = DataFolder.lock(folder)) {
      ClusterNode node = join(data);
      for (int i = 0; i < 250; i++) {
        int number = i;
        node.update("create", state -> state.withIndex(index("index-" + number)));
      }
      last = node.update("delete", state -> state.withoutIndex("index-7"));
      // no close: the process dies here, its lock with it
    }
    try (DataFolder data = DataFolder.lock(folder)) {
      ClusterState found = join(data).current();

      assertThat(found.indices()).isEqualTo(withNextTerms(last)).hasSize(249);
      assertThat(found.clusterUuid()).isEqualTo(last.clusterUuid());
      assertThat(found.term()).isEqualTo(last.term() + 1);
      assertThat(found.version()).isEqualTo(last.version() + 1);
    }
  }

  /// Every shard has got another owner.
  private static Map<String, IndexMetadata> withNextTerms(ClusterState state) {
    Map<String, IndexMetadata> indices = new TreeMap<>();
    for (IndexMetadata index : state.indices().values()) {
      List<Long> terms = index.primaryTerms().stream().map(term -> term + 1).toList();
      indices.put(index.id().name(), index.withPrimaryTerms(terms));
    }
    return indices;
  }

  @Test
  void aLeaderThatWasReplacedCommitsNothingAndLearnsIt() throws Exception {
    ClusterNode zombie;
    try (DataFolder data = DataFolder.lock(folder)) {
      zombie = join(data);
    }
    try (DataFolder data = DataFolder.lock(folder)) {
      ClusterNode successor = join(data);

      assertThatThrownBy(() -> zombie.update("create", state -> state.withIndex(index("lost"))))
          .hasRootCauseInstanceOf(StateLog.FencedException.class);
      assertThat(zombie.isStillMember()).isFalse();
      long endNanos = System.nanoTime() + 10_000_000_000L;
      while (evictions.isEmpty() && System.nanoTime() < endNanos) {
        Thread.sleep(5); // told by the task that was fenced
      }
      assertThat(evictions).hasSize(1);
      assertThat(successor.isStillMember()).isTrue();
      assertThat(successor.current().indices()).isEmpty();
    }
  }

  @Test
  void aLeaseThatSomebodyDeletedWithTheStatesIsNamed() throws Exception {
    try (DataFolder data = DataFolder.lock(folder)) {
      ClusterNode leader = join(data);
      store.deleteAll(
          store.list("cluster/", "", 1000).stream().map(ObjectStore.Listed::key).toList());

      assertThat(leader.isStillMember()).isFalse();
      assertThat(evictions)
          .singleElement(InstanceOfAssertFactories.STRING)
          .contains("the lease [cluster/lease] has gone", "store repair");
    }
  }

  @Test
  void aCleanStopHandsOverAtOnce() throws Exception {
    try (DataFolder data = DataFolder.lock(folder.resolve("a"))) {
      join(data).close();
    }
    try (DataFolder data = DataFolder.lock(folder.resolve("b"))) {
      assertThat(join(data).current().term()).isEqualTo(2);
    }
  }

  @Test
  void racingUpdatesAreAllAppliedInOrder() throws Exception {
    try (DataFolder data = DataFolder.lock(folder)) {
      ClusterNode node = join(data);
      List<Long> seen = new ArrayList<>();
      node.listen((before, now) -> seen.add(now.version()));
      CountDownLatch done = new CountDownLatch(100);
      for (int i = 0; i < 100; i++) {
        int number = i;
        world
            .tasks()
            .start(
                "updater",
                () -> {
                  node.update("create", state -> state.withIndex(index("index-" + number)));
                  done.countDown();
                });
      }
      done.await();

      assertThat(node.current().indices()).hasSize(100);
      assertThat(seen)
          .isSorted()
          .doesNotHaveDuplicates()
          .last()
          .isEqualTo(node.current().version());
    }
  }

  @Test
  void aRefusedChangeChangesNothingAndReachesItsCaller() throws Exception {
    try (DataFolder data = DataFolder.lock(folder)) {
      ClusterNode node = join(data);
      var before = node.current();

      assertThatThrownBy(() ->
              node.update(
                  "refused",
                  state -> {
                    throw Refusal.badArgument("no");
                  }))
          .isInstanceOf(Refusal.class)
          .hasMessage("no");
      assertThat(node.current()).isSameAs(before);
    }
  }

  @Test
  void aFolderInUseIsRefusedInOneSentence() throws Exception {
    try (DataFolder data = DataFolder.lock(folder)) {
      assertThatThrownBy(() -> DataFolder.lock(data.path()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("in use by another holdfast process");
    }
  }

  @Test
  void aLeaseOfANewerFormatOrWithAFlippedByteIsRefused() throws Exception {
    byte[] good = Lease.none().claimedBy("node", "here").bytes();
    for (int i = 0; i < good.length; i++) {
      byte[] flipped = good.clone();
      flipped[i] ^= 0x10;
      assertThatThrownBy(() -> Lease.read(flipped)).isInstanceOf(IOException.class);
    }
    byte[] payload = ChecksummedBytes.open("HFLE", 1, good, Lease.KEY);
    store.put(Lease.KEY, ObjectBody.of(ChecksummedBytes.seal("HFLE", 2, payload)));
    try (DataFolder data = DataFolder.lock(folder)) {
      assertThatThrownBy(() -> join(data)).isInstanceOf(NewerFormatException.class);
    }
  }

  /// A store that answers nobody ends nobody: who missed a beat just then goes on beating.
  @Test
  void aFollowerThatMissedABeatBeatsOnWhileTheStoreDoesNotAnswer() throws Exception {
    // given
    World real = RealWorld.create();
    Faulty faulty = new Faulty(new MemoryStore(), real, StoreFaults.NONE);
    try (TestCluster cluster = new TestCluster(folder, Retrying.forever(faulty, real))) {
      TestCluster.TestMember leader = cluster.start();
      TestCluster.TestMember follower = cluster.start();
      cluster.until("both know each other", () -> leader.node.current().members().size() == 2);

      // when
      faulty.outage(true);
      cluster.network.cut(follower.address, leader.address);
      cluster.world.sleeper().sleep(TestCluster.CONFIG.beatEvery().multipliedBy(2));
      cluster.network.healAll();
      cluster.world.sleeper().sleep(TestCluster.CONFIG.memberSilenceMax().multipliedBy(2));
      faulty.outage(false);
      cluster.world.sleeper().sleep(TestCluster.CONFIG.memberSilenceMax());

      // then
      assertThat(follower.evictions).isEmpty();
      assertThat(leader.node.current().members()).hasSize(2);
    }
  }

  /// It lists what was left and sleeps; meanwhile another leads and deletes what came before.
  @Test
  void aLeaderThatSleptWhileItReadWhatWasLeftHasNotFoundALostState() throws Exception {
    String term = "cluster/state/0000000000000001/";
    String first = term + "0000000000000000";
    String second = term + "0000000000000001";
    MemoryStore stored = new MemoryStore();
    LeaseRegister register = new LeaseRegister(stored);
    ObjectStore sleepy =
        (ObjectStore)
            Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (proxy, method, arguments) -> {
                  LeaseRegister.Read lease = register.read();
                  boolean sleeps =
                      method.getName().equals("list")
                          && arguments[0].equals(term)
                          && lease.lease().term() == 2;
                  if (sleeps) {
                    byte[] state = stored.get(first).orElseThrow().bytes();
                    stored.put(second, ObjectBody.of(state));
                  }
                  Object answer = method.invoke(stored, arguments);
                  if (sleeps) {
                    register.replace(lease, lease.lease().claimedBy("other", "other:9200"));
                    stored.deleteAll(List.of(first, second));
                  }
                  return answer;
                });
    try (TestCluster cluster = new TestCluster(folder, sleepy)) {
      cluster.start().crash();

      assertThatThrownBy(cluster::start)
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(IncompleteStateException.class)
          .hasMessageContaining("another node leads by now")
          .hasCauseInstanceOf(IncompleteStateException.class);
      assertThat(register.read().lease().leader()).isEqualTo("other");
    }
  }

  @Test
  void whoMayNotServeBecauseTheStoreRefusesSaysSo() throws Exception {
    Faulty faulty = new Faulty(store, world, StoreFaults.NONE);
    try (DataFolder data = DataFolder.lock(folder);
        ClusterNode node = join(data, Retrying.forever(faulty, world))) {
      node.requireServing(ErrorType.NO_SHARD_AVAILABLE, "no search is answered");

      faulty.refuse(StoreFailure.DENIED, "");
      try {
        assertThat(
                Await.until(
                    world,
                    Duration.ofSeconds(30),
                    Duration.ofMillis(50),
                    () -> !node.mayServe() && node.refused().isPresent()))
            .isTrue();
        assertThatThrownBy(
                () -> node.requireServing(ErrorType.NO_SHARD_AVAILABLE, "no search is answered"))
            .isInstanceOf(Refusal.class)
            .hasMessageContaining("no search is answered: this node has not heard of its leader")
            .hasMessageContaining("the object store fails, denied");
        assertThatThrownBy(
                () -> node.requireServingReads(ErrorType.NO_SHARD_AVAILABLE, "no search"))
            .matches(told -> told instanceof Refusal refusal && StoreTrouble.isTold(refusal));
      } finally {
        faulty.refuse(null, ""); // who cannot give the lease back does not end
      }
    }
  }
}
