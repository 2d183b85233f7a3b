package dev.holdfast.indexing.relocation;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.concurrent.Await;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A shard whose opening ends in an error of the program is opened again.
final class BrokenOpeningTest {
  private static final Set<String> READS = Set.of("list", "get", "getRange", "getSuffix");

  @TempDir private Path folder = Path.of("");

  private final MemoryStore store = new MemoryStore();
  private final AtomicInteger errorsLeft = new AtomicInteger();

  private @Nullable Object asked(Method method, Object @Nullable [] arguments) throws Throwable {
    boolean isReadOfShard =
        arguments != null
            && READS.contains(method.getName())
            && String.valueOf(arguments[0]).startsWith("shards/");
    if (isReadOfShard && errorsLeft.getAndDecrement() > 0) {
      throw new NoClassDefFoundError("gone");
    }
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Test
  void anErrorIsOfOneTryOnly() throws Exception {
    ObjectStore broken =
        (ObjectStore)
            Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (_, method, arguments) -> asked(method, arguments));
    TestIndexingNode node = new TestIndexingNode(broken, folder, TestIndexingNode.config());
    try {
      errorsLeft.set(2);
      ShardId shard = node.create("books");

      assertThat(node.done(shard, index("1", "{}")).version()).isOne();

      assertThat(errorsLeft.get()).isNotPositive();
    } finally {
      node.close();
    }
  }

  /// The first shard that goes ends the look at the state; the second is not known to go yet.
  @Test
  void aStateThatCouldNotBeFollowedToItsEndIsFollowedAgain() throws Exception {
    TestIndexingNode node = new TestIndexingNode(store, folder, TestIndexingNode.config());
    try {
      List<ShardId> shards = node.create("books", 2, null);
      node.done(shards.getFirst(), index("1", "{}"));
      node.done(shards.getLast(), index("2", "{}"));
      node.threads.begin("shard-work");
      node.cluster.update("delete", state -> state.withoutIndex("books"));
      node.threads.end();

      assertThat(
              Await.until(
                  node.world,
                  Duration.ofSeconds(30),
                  Duration.ofMillis(5),
                  () -> node.tier.sights().isEmpty()))
          .isTrue();
    } finally {
      node.close();
    }
  }
}
