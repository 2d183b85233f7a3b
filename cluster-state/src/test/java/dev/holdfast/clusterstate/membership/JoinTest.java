package dev.holdfast.clusterstate.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.world.MemoryNetwork;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JoinTest {
  @TempDir private Path folder = Path.of("");

  private final World world = RealWorld.create();
  private final MemoryStore store = new MemoryStore();
  private final MemoryNetwork network = new MemoryNetwork(world);

  private ClusterNode join(String name, Network wire, DataFolder data) throws Exception {
    Member self =
        new Member(
            name,
            name,
            name + ":9200",
            new TreeSet<>(List.of(Role.values())),
            1 << 30,
            0,
            false,
            Build.here("test"));
    return ClusterNode.join(
        new Surroundings(world, store, wire, ClusterConfig.defaults(), (_, _, _) -> {}),
        data,
        self,
        SelfReport.NOTHING,
        _ -> {});
  }

  /// The answer to its question tells a node of the state: nobody waits until it has been told
  /// beside, too.
  @Test
  void aNodeIsTakenInBeforeItHasHeardOfTheStateThatTakesItIn() throws Exception {
    CountDownLatch hasJoined = new CountDownLatch(1);
    BlockingQueue<Boolean> wasIn = new LinkedBlockingQueue<>();
    Duration max = ClusterConfig.defaults().acknowledgeMax().multipliedBy(3).dividedBy(4);
    Network second =
        new Holding(
            network.at("second:9200"),
            () -> wasIn.add(hasJoined.await(max.toMillis(), TimeUnit.MILLISECONDS)));
    try (DataFolder firstData = DataFolder.lock(folder.resolve("first"));
        DataFolder secondData = DataFolder.lock(folder.resolve("second"));
        ClusterNode _ = join("first", network.at("first:9200"), firstData);
        ClusterNode node = join("second", second, secondData)) {
      hasJoined.countDown();
      assertThat(wasIn.poll(10, TimeUnit.SECONDS)).isTrue();
      assertThat(node.current().members()).containsOnlyKeys("first", "second");
    }
  }

  /// Something that takes its time.
  @FunctionalInterface
  private interface Step {
    void take() throws InterruptedException;
  }

  /// A node that is told of states, and does something else first.
  private record Holding(Network wire, Step first) implements Network {
    @Override
    public void serve(String call, Handler handler) {
      wire.serve(
          call,
          call.equals(MemberMessages.STATE)
              ? request -> {
                first.take();
                return handler.answer(request);
              }
              : handler);
    }

    @Override
    public byte[] call(String address, String call, byte[] request, Duration deadline)
        throws IOException, InterruptedException {
      return wire.call(address, call, request, deadline);
    }
  }
}
