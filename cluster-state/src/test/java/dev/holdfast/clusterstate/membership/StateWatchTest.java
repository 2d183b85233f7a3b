package dev.holdfast.clusterstate.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.clusterstate.log.StateSurvey;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Somebody deletes or damages what a running cluster keeps of itself in the store.
final class StateWatchTest {
  private static final String STATES = "cluster/state/";

  private final ObjectStore store = new MemoryStore();
  private @TempDir Path folder;
  private TestCluster cluster;

  @BeforeEach
  void form() {
    // A look every 3 s.
    cluster = new TestCluster(folder, store, ClusterConfig.defaults().faster(20));
  }

  @AfterEach
  void end() throws Exception {
    cluster.close();
  }

  private List<String> states() throws Exception {
    return store.list(STATES, "", 1000).stream().map(ObjectStore.Listed::key).toList();
  }

  private boolean isWhole() {
    try {
      return new StateSurvey(store).look() instanceof StateSurvey.Finding.Whole;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private TestCluster.TestMember leaderOfThree() throws Exception {
    TestCluster.TestMember leader = cluster.start();
    cluster.start();
    cluster.start();
    var _ = leader.node.update("make", state -> state.withIndex(TestCluster.index("kept", 1, 0)));
    return leader;
  }

  @Test
  void aLeaseThatIsDeletedIsPutBackWithinAMoment() throws Exception {
    TestCluster.TestMember leader = leaderOfThree();

    store.deleteAll(List.of(Lease.KEY));

    cluster.until("the lease is back", () -> isThere(Lease.KEY));
    var _ = leader.node.update("make", state -> state.withIndex(TestCluster.index("later", 1, 0)));
    assertThat(leader.evictions).isEmpty();
    assertThat(leader.node.isStillMember()).isTrue();
    TestCluster.TestMember joined = cluster.start();
    assertThat(joined.node.current().indices()).hasSize(2);
  }

  /// Its supervisor would not start it again.
  @Test
  void aNodeThatStartsBeforeTheLeaseIsBackWaitsForIt() throws Exception {
    ObjectStore own = new MemoryStore();
    try (TestCluster slow =
        new TestCluster(folder.resolve("slow"), own, ClusterConfig.defaults())) {
      TestCluster.TestMember leader = slow.start();
      var _ = leader.node.update("make", state -> state.withIndex(TestCluster.index("a", 1, 0)));

      own.deleteAll(List.of(Lease.KEY)); // the leader looks once a second

      assertThat(slow.start().node.current().indices()).hasSize(1);
      assertThat(leader.node.isStillMember()).isTrue();
    }
  }

  private boolean isThere(String key) {
    try {
      return store.get(key).isPresent();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void statesThatAreDeletedAreWrittenAnew() throws Exception {
    TestCluster.TestMember leader = leaderOfThree();

    store.deleteAll(states());
    assertThat(isWhole()).isFalse();

    cluster.until("the state is whole again", this::isWhole);
    assertThat(leader.evictions).isEmpty();
    var _ = leader.node.update("make", state -> state.withIndex(TestCluster.index("later", 1, 0)));
    cluster.close();
    TestCluster next = new TestCluster(folder.resolve("next"), store);
    try (next) {
      assertThat(next.start().node.current().indices()).hasSize(2);
    }
  }

  @Test
  void aRegisterThatIsDamagedInAFolderIsPutBackToo() throws Exception {
    Path files = folder.resolve("store");
    try (TestCluster inFolder = new TestCluster(folder.resolve("nodes"), new FileStore(files))) {
      TestCluster.TestMember leader = inFolder.start();
      var _ = leader.node.update("make", state -> state.withIndex(TestCluster.index("a", 1, 0)));

      Files.write(files.resolve("cluster/lease+register"), new byte[0]);

      LeaseRegister register = new LeaseRegister(inFolder.store);
      inFolder.until("the lease is back", () -> isLed(register));
      assertThat(leader.evictions).isEmpty();
      assertThat(inFolder.start().node.current().indices()).hasSize(1);
    }
  }

  private static boolean isLed(LeaseRegister register) {
    try {
      return !register.readIfWhole().isMissing();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void oneStateThatIsDamagedIsWrittenAnewBeforeAnybodyNeedsIt() throws Exception {
    TestCluster.TestMember leader = leaderOfThree();
    String key = states().getFirst();
    byte[] bytes = store.get(key).orElseThrow().bytes().clone();
    bytes[bytes.length - 1] ^= 1;
    store.put(key, ObjectBody.of(bytes));
    assertThat(isWhole()).isFalse();

    cluster.until("the state is whole again", this::isWhole);
    cluster.until("what it replaces is gone", () -> !isThere(key)); // deleted after it is whole

    assertThat(leader.evictions).isEmpty();
  }

  @Test
  void aStoreThatWasEmptiedIsNotFilledAgain() throws Exception {
    TestCluster.TestMember leader = leaderOfThree();

    store.deleteAll(store.list("", "", 1000).stream().map(ObjectStore.Listed::key).toList());

    cluster.until("the leader ends", () -> !leader.evictions.isEmpty());
    assertThat(leader.evictions.getFirst()).contains(Lease.KEY).contains("store repair");
    assertThat(isThere(Lease.KEY)).isFalse();
    assertThat(states()).isEmpty();
  }
}
