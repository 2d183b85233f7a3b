package dev.holdfast.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random writes, refreshes, uploads, merges and crashes of one shard against a map.
class RandomOperationsTest {
  private static final int STEPS = 150;
  private static final int IDS = 25;

  @TempDir Path folder;

  private record Document(String source, long version, long seqNo) {}

  private final ObjectStore store = new MemoryStore();
  private final Map<String, Document> model = new TreeMap<>();

  @SuppressWarnings("NullAway.Init")
  private Random random;

  @SuppressWarnings("NullAway.Init")
  private TestIndexingNode node;

  @SuppressWarnings("NullAway.Init")
  private ShardId shard;

  private int made;

  private IndexingConfig config() {
    return TestIndexingNode.config()
        .withUploads(ByteSize.kib(64), 7, Duration.ofHours(1))
        .withMemory(ByteSize.mib(1), ByteSize.mib(1), ByteSize.mib(10));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void theShardIsTheMap(long seed) throws Exception {
    System.out.println("seed " + seed);
    random = new Random(seed);
    node = new TestIndexingNode(store, folder, config());
    try {
      shard = node.create("random");
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      compareGets();
      compareSearch();
    } finally {
      node.close();
    }
  }

  private void step() throws Exception {
    int dice = random.nextInt(100);
    if (dice < 70) {
      bulk();
    } else if (dice < 80) {
      compareSearch();
    } else if (dice < 85) {
      node.tier.flush(shard);
      CommitStore commits = new CommitStore(store, shard);
      assertThat(commits.list()).containsAll(commits.newest().orElseThrow().blobs());
    } else if (dice < 87) {
      node.tier.forceMerge(shard, 1, false);
    } else if (dice < 95) {
      compareGets();
    } else if (dice < 98) {
      node.crash();
      node = new TestIndexingNode(store, folder, config());
      compareGets();
    } else {
      node.close();
      node = new TestIndexingNode(store, folder, config());
    }
  }

  private void bulk() throws Exception {
    List<WriteOperation> operations = new ArrayList<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      String id = "id" + random.nextInt(IDS);
      String field = "\"f" + random.nextInt(4) + "\":" + random.nextInt(5);
      operations.add(
          switch (random.nextInt(6)) {
            case 0 -> TestIndexingNode.delete(id);
            case 1 -> TestIndexingNode.append("auto" + made++, "{" + field + "}");
            case 2 ->
                TestIndexingNode.update(id, "{\"doc\":{" + field + "},\"doc_as_upsert\":true}");
            default -> TestIndexingNode.index(id, "{" + field + "}");
          });
    }
    List<WriteResult> results = node.tier.write(shard, operations);
    for (int i = 0; i < results.size(); i++) {
      apply(operations.get(i), (WriteResult.Done) results.get(i));
    }
  }

  private void apply(WriteOperation operation, WriteResult.Done done) {
    Document before = model.get(operation.id());
    if (done.effect() == Effect.NOOP) {
      assertThat(Objects.requireNonNull(before).seqNo()).isEqualTo(done.seqNo());
      return;
    }
    if (before != null) {
      assertThat(done.version()).isEqualTo(before.version() + 1);
      assertThat(done.effect()).isIn(Effect.UPDATED, Effect.DELETED);
    } else {
      assertThat(done.effect()).isIn(Effect.CREATED, Effect.NOT_FOUND);
    }
    switch (operation.kind()) {
      case DELETE -> model.remove(operation.id());
      case UPDATE ->
          model.put(
              operation.id(),
              new Document(SearchCopy.text(done.source()), done.version(), done.seqNo()));
      case INDEX, CREATE ->
          model.put(
              operation.id(),
              new Document(SearchCopy.text(operation.bytes()), done.version(), done.seqNo()));
    }
  }

  private void compareGets() throws Exception {
    for (int i = 0; i < IDS; i++) {
      compareGet("id" + i);
    }
    for (int i = 0; i < made; i++) {
      compareGet("auto" + i);
    }
  }

  private void compareGet(String id) throws Exception {
    RealTimeDocument found = node.tier.get(shard, id);
    Document expected = model.get(id);
    if (expected == null) {
      assertThat(found.exists()).as(id).isFalse();
    } else {
      assertThat(found.exists()).as(id).isTrue();
      assertThat(new Document(SearchCopy.text(found.source()), found.version(), found.seqNo()))
          .as(id)
          .isEqualTo(expected);
    }
  }

  private void compareSearch() throws Exception {
    node.tier.refresh(shard);
    TreeMap<String, String> expected = new TreeMap<>();
    model.forEach((id, document) -> expected.put(id, document.source()));
    assertThat(node.search.documents(shard)).isEqualTo(expected);
  }
}
