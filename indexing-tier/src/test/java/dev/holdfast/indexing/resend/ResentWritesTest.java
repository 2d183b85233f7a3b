package dev.holdfast.indexing.resend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.translog.WriteOrigin;
import dev.holdfast.world.Refusal;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A write whose answer was lost is sent again, to the same owner or to the next.
class ResentWritesTest {
  private final MemoryStore store = new MemoryStore();
  private @TempDir Path folder;
  private TestIndexingNode node;
  private ShardId shard;

  /// Whoever routes writes is a member.
  private WriteAttempt attempt;

  @BeforeEach
  void start() throws Exception {
    node = new TestIndexingNode(store, folder.resolve("1"), TestIndexingNode.config());
    shard = node.create("books");
    attempt =
        WriteAttempt.first(new WriteOrigin(WriteOrigin.node(node.cluster.nodeEphemeralId()), 5, 5));
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
  }

  private List<WriteResult> send(WriteAttempt attempt, WriteOperation... operations)
      throws Exception {
    return node.tier.write(shard, attempt, List.of(operations));
  }

  private static WriteOperation create(String id, String json) {
    return TestIndexingNode.operation(Kind.CREATE, id, json, Condition.NONE, 0);
  }

  private static WriteOperation ifSeqNo(WriteResult.Done seen, String id, String json) {
    Condition condition = new Condition(seen.seqNo(), seen.primaryTerm(), -3, VersionType.INTERNAL);
    return TestIndexingNode.operation(Kind.INDEX, id, json, condition, 0);
  }

  @Test
  void everyKindAnswersItsFirstResult() throws Exception {
    // given
    WriteResult.Done seen = node.done(shard, TestIndexingNode.index("2", "{\"a\":1}"));
    var _ = node.done(shard, TestIndexingNode.index("3", "{\"a\":1}"));
    WriteOperation[] operations = {
      create("1", "{\"a\":1}"),
      ifSeqNo(seen, "2", "{\"a\":2}"),
      TestIndexingNode.update("3", "{\"doc\":{\"b\":1}}"),
      TestIndexingNode.delete("4"),
      TestIndexingNode.append("5", "{\"a\":1}"),
      TestIndexingNode.index("1", "{\"a\":3}"),
      create("2", "{}")
    };
    List<WriteResult> first = send(attempt, operations);

    // when
    List<WriteResult> again = send(attempt.next(), operations);

    // then
    for (int i = 0; i < 6; i++) {
      WriteResult.Done before = (WriteResult.Done) first.get(i);
      WriteResult.Done after = (WriteResult.Done) again.get(i);
      assertThat(after.seqNo()).as("operation %d", i).isEqualTo(before.seqNo());
      assertThat(after.version()).isEqualTo(before.version());
      assertThat(after.effect()).isEqualTo(before.effect());
      assertThat(after.primaryTerm()).isEqualTo(before.primaryTerm());
      assertThat(after.source()).isEqualTo(before.source());
    }
    assertThat(again.get(6)).isInstanceOf(WriteResult.Refused.class);
    node.tier.refresh(shard);
    assertThat(node.search.documents(shard)).hasSize(4);
  }

  @Test
  void aLateAttemptDoesNotUndoWhatAnotherClientWrote() throws Exception {
    // given
    WriteOperation first = TestIndexingNode.index("1", "{\"v\":1}");
    var _ = send(attempt, first);
    var _ = node.done(shard, TestIndexingNode.index("1", "{\"v\":2}"));

    // when
    WriteResult.Done again = (WriteResult.Done) send(attempt.next(), first).getFirst();

    // then
    assertThat(again.version()).isEqualTo(1);
    assertThat(again.effect()).isEqualTo(Effect.CREATED);
    assertThat(node.source(shard, "1")).isEqualTo("{\"v\":2}");
    assertThat(node.tier.get(shard, "1").version()).isEqualTo(2);
  }

  @Test
  void everyCommitKeepsIt() throws Exception {
    // given
    WriteResult.Done before = (WriteResult.Done) send(attempt, create("1", "{\"v\":1}")).getFirst();

    // when
    node.tier.flush(shard);

    // then: whoever recovers from it knows
    ShardEngine engine = Objects.requireNonNull(node.tier.openNow(shard)).engine;
    RecentWrites loaded = new RecentWrites(node.world.clock());
    engine
        .writer
        .getLiveCommitData()
        .forEach(member -> {
          if (member.getKey().equals(SavedWrites.MEMBER)) {
            loaded.load(member.getValue());
          }
        });
    assertThat(loaded.begin(attempt.origin()))
        .singleElement()
        .satisfies(run -> assertThat(run.done("1", 0)).isEqualTo(before));
  }

  @Test
  void anOperationThatALaterOneOfItsRequestFollowedIsNotDoneAfterIt() throws Exception {
    // given: only the second of two was done
    WriteOperation first = TestIndexingNode.index("1", "{\"v\":1}");
    WriteOperation second = TestIndexingNode.index("1", "{\"v\":2}");
    var _ = send(attempt.at(List.of(1)), second);

    // when
    List<WriteResult> again = send(attempt.next(), first, second);

    // then
    assertThat(again.getFirst())
        .isInstanceOfSatisfying(
            WriteResult.Refused.class,
            refused -> assertThat(refused.refusal().type().status()).isEqualTo(503));
    assertThat(again.getLast()).isInstanceOf(WriteResult.Done.class);
    assertThat(node.source(shard, "1")).isEqualTo("{\"v\":2}");
  }

  @Test
  void whoHasLeftTheClusterWritesNothing() {
    WriteAttempt stranger = WriteAttempt.first(new WriteOrigin(99, 1, 1));

    assertThatThrownBy(() -> send(stranger, create("1", "{}")))
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(ShardNotHere.is(e)).isTrue());
  }
}
