package dev.holdfast.indexing.relocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is asked of the store while writes to a shard wait that is divided: nothing that this node
/// knows, because it has just put it there.
@Timeout(60)
final class DivisionRequestsTest {
  private static final Duration PAUSE = Duration.ofMillis(2);

  @TempDir Path folder;

  private final ObjectStore store = new MemoryStore();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private volatile boolean isStarted;

  @SuppressWarnings("NullAway.Init")
  private TestIndexingNode node;

  @BeforeEach
  void start() throws Exception {
    ObjectStore noting =
        (ObjectStore)
            Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (_, method, arguments) -> {
                  if (arguments != null
                      && arguments[0] instanceof String key
                      && !isOfOpenShard(key)) {
                    asked.add(method.getName() + " " + (isCopy(arguments) ? arguments[1] : key));
                  }
                  try {
                    return method.invoke(store, arguments);
                  } catch (InvocationTargetException e) {
                    throw Objects.requireNonNull(e.getCause());
                  }
                });
    node = new TestIndexingNode(noting, folder, TestIndexingNode.config());
    isStarted = true;
  }

  /// A shard that is open looks for what it may delete, when it likes.
  private boolean isOfOpenShard(String key) {
    String[] parts = key.split("/", -1);
    return isStarted
        && parts.length > 3
        && parts[0].equals("shards")
        && node.tier.openNow(
                new ShardId(new IndexId("books", parts[2]), Integer.parseInt(parts[3])))
            != null;
  }

  private static boolean isCopy(Object[] arguments) {
    return arguments.length == 2 && arguments[1] instanceof String;
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
  }

  @Test
  void nothingIsReadThatTheNodeHasJustWritten() throws Exception {
    // given
    ShardId zero = node.create("books");
    for (int i = 0; i < 100; i++) {
      var _ = node.done(zero, TestIndexingNode.index("d" + i, "{}"));
    }
    // when: one after the other, so that a shard is divided that was added itself
    for (int shards : new int[] {2, 4}) {
      asked.clear();
      IndexMetadata index = node.cluster.current().indices().get("books");
      var _ =
          node.cluster.update(
              "split",
              state -> OnlineSplit.begun(state, Objects.requireNonNull(index).id(), shards));
      while (shards() < shards) {
        node.world.sleeper().sleep(PAUSE);
      }
      node.awaitShards();
      // then: from the last copy on
      assertThat(whileWritesWaited(zero)).isEmpty();
    }
  }

  private int shards() {
    return Objects.requireNonNull(node.cluster.current().indices().get("books")).shards();
  }

  /// Looks for commits, after the last copy began until all is open. The end of each copy is read,
  /// once: it has the checksums of its pages. Several are made at a time.
  private List<String> whileWritesWaited(ShardId zero) {
    List<String> all = List.copyOf(asked);
    int last = 0;
    for (int i = 0; i < all.size(); i++) {
      last = all.get(i).startsWith("copy ") ? i : last;
    }
    assertThat(last).isPositive();
    String shards = zero.folder().substring(0, zero.folder().indexOf('/') + 1);
    List<String> ends =
        all.subList(0, last + 1).stream()
            .filter(one -> one.startsWith("copy "))
            .map(one -> "getSuffix " + one.substring("copy ".length()))
            .collect(Collectors.toCollection(ArrayList::new));
    all.subList(0, last).forEach(ends::remove); // read already
    List<String> looks =
        all.subList(last, all.size()).stream()
            .filter(
                one -> one.startsWith("list " + shards) || one.startsWith("getSuffix " + shards))
            .collect(Collectors.toCollection(ArrayList::new));
    ends.forEach(looks::remove);
    return looks;
  }
}
