package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.indexing.call.ShardOwner;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.node.FixedState;
import dev.holdfast.world.MemoryNetwork;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The owner of a shard hears which cluster state it must know before it flushes or refreshes, and
/// is asked again until it does.
final class AskedStateTest {
  private static final IndexMetadata BOOKS = TestCluster.index("books", 1, 0);
  private static final ShardId SHARD = new ShardId(BOOKS.id(), 0);

  private final World world = RealWorld.create();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  @Test
  void isToldToTheOwner() throws Exception {
    Metadata metadata =
        new FixedState(
            ClusterState.empty("cluster")
                .withIndex(BOOKS)
                .withAssignment(SHARD, new ShardAssignment("me", "", new TreeMap<>())));
    ShardOwner behind =
        (ShardOwner)
            Proxy.newProxyInstance(
                ShardOwner.class.getClassLoader(),
                new Class<?>[] {ShardOwner.class},
                (_, method, arguments) -> {
                  asked.add(method.getName() + Arrays.toString(arguments));
                  if (asked.size() == 1) {
                    throw ShardNotHere.of(SHARD); // it does not know the state in time
                  }
                  return null;
                });
    RemoteMembers peers = new RemoteMembers(world, new MemoryNetwork(world).at("a:1"), metadata);
    RoutedIndexing routed = new RoutedIndexing(world, metadata, peers, "me", behind);

    routed.flush(SHARD, 41);
    routed.refresh(SHARD, 42);
    routed.flush(SHARD);

    assertThat(asked)
        .containsExactly(
            "flush[[books][0], 41]",
            "flush[[books][0], 41]",
            "refresh[[books][0], 42, -1, false]",
            "flush[[books][0], 0]");
  }
}
