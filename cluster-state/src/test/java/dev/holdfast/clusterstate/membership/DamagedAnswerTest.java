package dev.holdfast.clusterstate.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.TestCluster.TestMember;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.objectstore.ForwardingStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A lease that is whole in the store and damaged on its way.
final class DamagedAnswerTest {
  @TempDir Path folder;

  private TestCluster cluster;

  @BeforeEach
  void open() {
    cluster = new TestCluster(folder);
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
  }

  /// Flips a bit of the first lease that is read.
  private static final class Flipping extends ForwardingStore {
    private final AtomicBoolean hasFlipped = new AtomicBoolean();

    Flipping(ObjectStore store) {
      super(store);
    }

    @Override
    public Optional<StoredObject> get(String key) throws StoreException {
      Optional<StoredObject> whole = super.get(key);
      if (!key.equals(Lease.KEY) || whole.isEmpty() || hasFlipped.getAndSet(true)) {
        return whole;
      }
      byte[] bytes = whole.get().bytes().clone();
      bytes[bytes.length / 2] ^= 4;
      return Optional.of(new StoredObject(bytes, whole.get().version()));
    }
  }

  @Test
  void whoReadsADamagedLeaseTakesNoneThatIsWhole() throws Exception {
    TestMember leader = cluster.start();
    List<String> evictions = new CopyOnWriteArrayList<>();
    Member self =
        new Member(
            "other",
            "other",
            "other:9200",
            new TreeSet<>(List.of(Role.values())),
            1 << 30,
            0,
            false,
            Build.here("test"));
    try (DataFolder data = DataFolder.lock(folder.resolve("other"));
        ClusterNode other =
            ClusterNode.join(
                new Surroundings(
                    cluster.world,
                    new Flipping(cluster.store),
                    cluster.network.at("other:9200"),
                    TestCluster.CONFIG,
                    (node, durable, leads) -> {},
                    ClusterName.DEFAULT),
                data,
                self,
                SelfReport.NOTHING,
                evictions::add)) {
      assertThat(other.leaderId()).isEqualTo("n0");
      assertThat(leader.node.isStillMember()).isTrue();
      assertThat(leader.evictions).isEmpty();
    }
    assertThat(evictions).isEmpty();
  }
}
