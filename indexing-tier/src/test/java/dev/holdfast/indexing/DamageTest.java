package dev.holdfast.indexing;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.blob.BlobCheck;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens to a shard when its bytes are not what was written, in the store or on the node's
/// own disk.
final class DamageTest {
  @TempDir Path folder;

  private final MemoryStore memory = new MemoryStore();
  private final CountingStore store = new CountingStore(memory);

  @SuppressWarnings("NullAway.Init")
  private TestIndexingNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
  }

  private void fill(ShardId shard, int documents) throws Exception {
    List<WriteOperation> operations = new ArrayList<>();
    for (int id = 0; id < documents; id++) {
      operations.add(index("id" + id, "{\"n\":" + id + ",\"text\":\"" + "w" + id * 31L + "\"}"));
    }
    assertThat(node.write(shard, operations.toArray(WriteOperation[]::new)))
        .allMatch(result -> result instanceof WriteResult.Done);
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private void await(Condition condition) throws Exception {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      node.world.sleeper().sleep(Duration.ofMillis(5));
    }
  }

  @Test
  void aShardWhoseNewestBlobIsDamagedNamesItAndRaisesNoTermsUntilItIsMended() throws Exception {
    ShardId shard = node.create("books");
    fill(shard, 20);
    node.tier.flush(shard);
    BlobId newest = new CommitStore(memory, shard).list().getFirst();
    String key = newest.key(shard);
    node.crash();
    byte[] whole = memory.get(key).orElseThrow().bytes();
    byte[] damaged = whole.clone();
    damaged[damaged.length - 50] ^= 2;
    var _ = memory.put(key, ObjectBody.of(damaged));
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());

    long term = node.cluster.current().primaryTerm(shard);
    long tries = store.lists(shard.folder());
    assertThatThrownBy(() -> node.tier.get(shard, "id1"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(key)
        .returns(ErrorType.CORRUPT_INDEX, e -> ((Refusal) e).type());
    await(() -> store.lists(shard.folder()) >= tries + 3);
    assertThat(node.cluster.current().primaryTerm(shard)).isEqualTo(term);
    // All nodes can tell: the cluster state says it, whoever met it.
    await(() -> UploadMarks.of(node.cluster.current(), shard).lost().equals(key));
    assertThat(node.cluster.current().whyNotOpen(shard))
        .isNotNull()
        .returns(ErrorType.CORRUPT_INDEX, Refusal::type);

    var _ = memory.put(key, ObjectBody.of(whole));
    await(() -> {
      try {
        return node.source(shard, "id1") != null;
      } catch (Refusal e) {
        return false;
      }
    });
    assertThat(node.source(shard, "id19")).contains("19");
    assertThat(node.cluster.current().primaryTerm(shard)).isEqualTo(term);
    await(() -> node.cluster.current().whyNotOpen(shard) == null);
  }

  private Path largestLocalFile() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("scratch"))) {
      return files
          .filter(Files::isRegularFile)
          .max(Comparator.comparingLong((Path file) -> file.toFile().length()))
          .orElseThrow();
    }
  }

  @Test
  void whatRotsOnTheLocalDiskIsTakenFromTheLogAndNeverUploaded() throws Exception {
    ShardId shard = node.create("books");
    fill(shard, 6000);
    node.tier.refresh(shard);
    Path file = largestLocalFile();
    assertThat(Files.size(file)).isGreaterThan(40_000);
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.seek(30_000);
      int was = access.read();
      access.seek(30_000);
      access.write(was ^ 8);
    }
    try {
      node.tier.flush(shard);
    } catch (IOException | Refusal e) {
      assertThat(e).isNotNull(); // the shard is opened anew
    }
    await(() -> {
      try {
        node.tier.flush(shard);
        return true;
      } catch (IOException | Refusal e) {
        return false;
      }
    });
    for (int id = 0; id < 6000; id += 97) {
      assertThat(node.source(shard, "id" + id)).contains("\"n\":" + id + ",");
    }
    int checked = 0;
    for (Listed blob : memory.list("shards/", "", 100)) {
      try {
        assertThat(BlobCheck.check(memory, blob.key(), _ -> {}).damages()).isEmpty();
        checked++;
      } catch (StoreException.NotFound _) {
        // Nothing needs it any more, and it went meanwhile.
      }
    }
    assertThat(checked).isPositive();
  }
}
