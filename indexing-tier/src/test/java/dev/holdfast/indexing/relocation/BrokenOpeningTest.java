package dev.holdfast.indexing.relocation;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
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
}
