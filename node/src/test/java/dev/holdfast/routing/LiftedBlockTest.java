package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.indexing.call.ShardOwner;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.node.FixedState;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.MemoryNetwork;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The owner of a shard that has not heard yet that its index is blocked no more.
final class LiftedBlockTest {
  private static final IndexMetadata BOOKS = TestCluster.index("books", 1, 0);
  private static final ShardId SHARD = new ShardId(BOOKS.id(), 0);

  private static final Refusal BLOCKED =
      new Refusal(ErrorType.CLUSTER_BLOCK, "index [books] blocked by: [FORBIDDEN/8/…];")
          .with("index_uuid", BOOKS.id().uuid());

  private final World world = RealWorld.create();
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  /// @param refusals how often the owner refuses before it has heard
  private List<WriteResult> write(IndexMetadata index, int refusals) throws Exception {
    return write(index, refusals, BLOCKED);
  }

  private List<WriteResult> write(IndexMetadata index, int refusals, Refusal why) throws Exception {
    Metadata metadata =
        new FixedState(
            ClusterState.empty("cluster")
                .withIndex(index)
                .withAssignment(SHARD, new ShardAssignment("me", "", new TreeMap<>())));
    ShardOwner owner =
        (ShardOwner)
            Proxy.newProxyInstance(
                ShardOwner.class.getClassLoader(),
                new Class<?>[] {ShardOwner.class},
                (_, _, _) -> {
                  if (asked.incrementAndGet() <= refusals) {
                    throw why;
                  }
                  return List.of(
                      new WriteResult.Done("1", WriteResult.Effect.CREATED, 0, 1, 1, null));
                });
    RemoteMembers peers = new RemoteMembers(world, new MemoryNetwork(world).at("a:1"), metadata);
    byte[] bytes = {'{', '}'};
    return new RoutedIndexing(world, metadata, peers, "me", owner)
        .write(
            SHARD,
            List.of(
                new WriteOperation(
                    0,
                    WriteOperation.Kind.INDEX,
                    "1",
                    false,
                    null,
                    bytes,
                    0,
                    bytes.length,
                    WriteOperation.Condition.NONE,
                    0)));
  }

  @Test
  void isAskedAgain() throws Exception {
    assertThat(write(BOOKS, 2)).singleElement().isInstanceOf(WriteResult.Done.class);
    assertThat(asked).hasValue(3);
  }

  @Test
  void isNotAskedAgainWhileTheIndexIsBlocked() {
    SortedMap<String, Object> settings = new TreeMap<>(BOOKS.settings());
    settings.put("index.blocks.write", "true");

    assertThatThrownBy(() -> write(BOOKS.withSettings(settings), 2)).isSameAs(BLOCKED);

    assertThat(asked).hasValue(1);
  }

  /// It is told by the same type of error, and may last.
  @Test
  void aFullDiskIsToldAtOnce() {
    Refusal full = new Refusal(ErrorType.CLUSTER_BLOCK_FOR_NOW, "the disk is full");

    assertThatThrownBy(() -> write(BOOKS, 2, full)).isSameAs(full);

    assertThat(asked).hasValue(1);
  }
}
