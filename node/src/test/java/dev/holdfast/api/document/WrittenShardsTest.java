package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.document.WriteRequests.Refresh;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class WrittenShardsTest {
  private final World world = RealWorld.create();

  /// What the shards were asked, with their numbers.
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  /// Each shard answers when so many are asked side by side.
  private WrittenShards shards(int beside) {
    CyclicBarrier all = new CyclicBarrier(beside);
    return new WrittenShards(
        world,
        (IndexingShards)
            Proxy.newProxyInstance(
                IndexingShards.class.getClassLoader(),
                new Class<?>[] {IndexingShards.class},
                (_, method, arguments) -> {
                  asked.add(method.getName() + " " + ((ShardId) arguments[0]).number());
                  int _ = all.await();
                  return null;
                }));
  }

  private static List<ShardId> first(int count) {
    IndexMetadata books = TestCluster.index("books", 4, 1);
    return List.of(
            new ShardId(books.id(), 0),
            new ShardId(books.id(), 1),
            new ShardId(books.id(), 2),
            new ShardId(books.id(), 3))
        .subList(0, count);
  }

  @ParameterizedTest
  @CsvSource({"NOW,refresh", "WAIT,awaitRefresh"})
  void areRefreshedSideBySide(Refresh refresh, String question) throws Exception {
    shards(4).refresh(refresh, first(4));
    assertThat(asked)
        .containsExactlyInAnyOrder(
            question + " 0", question + " 1", question + " 2", question + " 3");
  }

  @Test
  void areLeftAloneWhenNobodyAsksForIt() throws Exception {
    shards(1).refresh(Refresh.NO, first(4));
    assertThat(asked).isEmpty();
    shards(1).refresh(Refresh.NOW, first(1));
    assertThat(asked).containsExactly("refresh 0");
  }
}
