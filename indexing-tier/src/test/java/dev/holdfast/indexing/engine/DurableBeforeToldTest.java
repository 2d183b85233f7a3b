package dev.holdfast.indexing.engine;

import static dev.holdfast.indexing.TestIndexingNode.delete;
import static dev.holdfast.indexing.TestIndexingNode.index;
import static dev.holdfast.indexing.TestIndexingNode.operation;
import static dev.holdfast.indexing.TestIndexingNode.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.CountingStore;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Nothing is told of operations that are not in the store: with the log frozen, whoever asks about
/// them waits, and when the node dies nobody was told of what is gone.
class DurableBeforeToldTest {
  /// Answers that need not wait are there long before.
  private static final Duration AT_ONCE = Duration.ofMillis(500);

  private static final Condition OF_ANOTHER = new Condition(999, 1, -3, VersionType.INTERNAL);

  @TempDir Path folder;

  private final CountingStore store = new CountingStore(new MemoryStore());
  private final CountDownLatch thaw = new CountDownLatch(1);
  private final List<CompletableFuture<?>> asked = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private TestIndexingNode node;

  @SuppressWarnings("NullAway.Init")
  private ShardId shard;

  @BeforeEach
  void start() throws Exception {
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
    shard = node.create("books");
  }

  /// A first write opens the shard, and the refresh that an opening begins is over: it might hold
  /// what a test writes next. It may begin behind the first of these.
  private void settle(ShardId written) throws Exception {
    IndexingShard open = Objects.requireNonNull(node.tier.openNow(written));
    open.refresh();
    open.refresh();
  }

  @AfterEach
  void stop() throws Exception {
    thaw.countDown();
    node.close();
  }

  private <T> CompletableFuture<T> ask(Callable<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    asked.add(answer);
    Thread.startVirtualThread(() -> {
      try {
        answer.complete(question.call());
      } catch (Throwable e) {
        answer.completeExceptionally(e);
      }
    });
    return answer;
  }

  private CompletableFuture<WriteResult> write(WriteOperation operation) {
    return ask(() -> node.write(shard, operation).getFirst());
  }

  private ShardEngine engine() {
    return Objects.requireNonNull(node.tier.openNow(shard)).engine;
  }

  /// The store takes nothing into the log any more; a document is created, one deleted and one
  /// changed, and nobody has heard of it.
  private void undurableWrites() throws Exception {
    for (String id : List.of("kept", "old", "changed")) {
      node.done(shard, index(id, "{\"n\":1}"));
    }
    settle(shard);
    store.holdCreations("log/", thaw);
    for (WriteOperation operation :
        List.of(
            operation(Kind.CREATE, "new", "{\"n\":2}", Condition.NONE, 0),
            delete("old"),
            index("changed", "{\"n\":2}"))) {
      long before = engine().numbers.max();
      var _ = write(operation);
      until(
          () -> engine().numbers.max() > before && engine().versions.entry(operation.id()) != null);
    }
    until(() -> store.creationsHeld() > 0);
  }

  private void until(Callable<Boolean> isSo) throws Exception {
    long startNanos = node.world.clock().nanoTime();
    while (!isSo.call()) {
      assertThat(node.world.clock().nanoTime() - startNanos)
          .isLessThan(Duration.ofSeconds(20).toNanos());
      node.world.sleeper().sleep(Duration.ofMillis(1));
    }
  }

  /// Everything that would tell of one of the three.
  private Map<String, CompletableFuture<?>> questions() {
    Map<String, CompletableFuture<?>> questions = new LinkedHashMap<>();
    questions.put(
        "create that was sent again",
        write(operation(Kind.CREATE, "new", "{\"n\":2}", Condition.NONE, 0)));
    questions.put("update that changes nothing", write(update("new", "{\"doc\":{\"n\":2}}")));
    questions.put("get of what is new", ask(() -> node.tier.get(shard, "new")));
    questions.put("conditional delete", write(operation(Kind.DELETE, "new", "", OF_ANOTHER, 0)));
    questions.put(
        "conditional update",
        write(
            operation(
                Kind.UPDATE,
                "changed",
                "{\"doc\":{\"n\":2},\"if_seq_no\":1,\"if_primary_term\":9}",
                Condition.NONE,
                0)));
    questions.put("get of what is deleted", ask(() -> node.tier.get(shard, "old")));
    questions.put("update of what is deleted", write(update("old", "{\"doc\":{\"n\":2}}")));
    questions.put(
        "condition on what is deleted",
        write(
            operation(Kind.INDEX, "old", "{}", new Condition(1, 1, -3, VersionType.INTERNAL), 0)));
    questions.put("get of what is changed", ask(() -> node.tier.get(shard, "changed")));
    questions.put(
        "a batch with a conflict",
        ask(() ->
            node.write(
                shard,
                operation(Kind.CREATE, "new", "{}", Condition.NONE, 0),
                update("changed", "{\"doc\":{\"n\":2}}"))));
    questions.put(
        "refresh",
        ask(() -> {
          node.tier.refresh(shard);
          return true;
        }));
    return questions;
  }

  private void assertNothingTold(Map<String, CompletableFuture<?>> questions) throws Exception {
    node.world.sleeper().sleep(AT_ONCE);
    questions.forEach((what, answer) -> assertThat(answer.isDone()).as(what).isFalse());
  }

  private static Refusal refusal(CompletableFuture<?> answer) throws Exception {
    return ((WriteResult.Refused) answer.get()).refusal();
  }

  /// No answer, an error, or 503 for each of its writes.
  private static boolean tellsNothing(CompletableFuture<?> answer) {
    if (!answer.isDone() || answer.isCompletedExceptionally()) {
      return true;
    }
    List<?> results = answer.join() instanceof List<?> many ? many : List.of(answer.join());
    return results.stream()
        .allMatch(one ->
            one instanceof WriteResult.Refused refused
                && refused.refusal().type() == ErrorType.UNAVAILABLE_SHARDS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsNotDurableIsToldWhenItIs(boolean isInReader) throws Exception {
    // given
    undurableWrites();
    if (isInReader) {
      engine().reader.reopen();
    }

    // when
    var questions = questions();

    // then
    assertNothingTold(questions);
    thaw.countDown();
    assertThat(refusal(questions.get("create that was sent again")).type())
        .isEqualTo(ErrorType.VERSION_CONFLICT);
    assertThat(questions.get("update that changes nothing").get())
        .isInstanceOfSatisfying(
            WriteResult.Done.class, done -> assertThat(done.effect()).isEqualTo(Effect.NOOP));
    assertThat(refusal(questions.get("conditional delete")).reason()).contains("current document");
    assertThat(refusal(questions.get("update of what is deleted")).type())
        .isEqualTo(ErrorType.DOCUMENT_MISSING);
    assertThat(refusal(questions.get("condition on what is deleted")).reason())
        .contains("no document was found");
    for (CompletableFuture<?> answer : questions.values()) {
      assertThat(answer.get()).isNotNull();
    }
    assertThat(node.source(shard, "changed")).isEqualTo("{\"n\":2}");
    assertThat(node.tier.get(shard, "old").exists()).isFalse();
  }

  @Test
  void whatDiesWithTheNodeWasNeverTold() throws Exception {
    // given
    undurableWrites();
    var questions = questions();
    assertNothingTold(questions);

    // when
    node.crash();
    store.holdCreations("log/", new CountDownLatch(0));
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());

    // then
    questions.forEach((what, answer) -> assertThat(tellsNothing(answer)).as(what).isTrue());
    assertThat(node.tier.get(shard, "new").exists()).isFalse();
    assertThat(node.source(shard, "old")).isEqualTo("{\"n\":1}");
    assertThat(node.source(shard, "changed")).isEqualTo("{\"n\":1}");
  }

  @Test
  void whatIsDurableIsToldAtOnce() throws Exception {
    // given
    undurableWrites();

    // when
    var get = ask(() -> node.tier.get(shard, "kept"));
    var none = ask(() -> node.tier.get(shard, "never-written"));
    var conflict = write(operation(Kind.CREATE, "kept", "{}", Condition.NONE, 0));
    var noop = write(update("kept", "{\"doc\":{\"n\":1}}"));

    // then
    assertThat(get.get().exists()).isTrue();
    assertThat(none.get().exists()).isFalse();
    assertThat(refusal(conflict).type()).isEqualTo(ErrorType.VERSION_CONFLICT);
    assertThat(((WriteResult.Done) noop.get()).effect()).isEqualTo(Effect.NOOP);
    assertThat(node.tier.stats(shard).maxSeqNo()).isEqualTo(2);
  }

  /// Its commit says from which file of the log on to replay: a log that never gets one before that
  /// would look as if it had lost operations, and the shard could not be opened.
  @Test
  void aCommitIsToldOnlyWhenTheLogHasAllBeforeIt() throws Exception {
    // given
    ShardId other = node.create("films");
    node.done(other, index("shown", "{\"n\":1}"));
    settle(other);
    node.done(other, index("seen", "{\"n\":1}"));
    undurableWrites();
    // when: nothing of the other shard is missing
    CompletableFuture<Boolean> shown =
        ask(() -> {
          node.tier.refresh(other);
          return true;
        });
    // then
    assertThatThrownBy(() -> shown.get(AT_ONCE.toMillis(), TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    thaw.countDown();
    assertThat(shown.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(node.search.documents(other)).containsOnlyKeys("shown", "seen");
  }

  /// Deletes are remembered for a minute, and a store may be silent for longer.
  @Test
  void aDeleteIsRememberedUntilItIsDurable() throws Exception {
    // given
    undurableWrites();
    engine().reader.reopen();

    // when
    engine().versions.forgetDeletes(Long.MAX_VALUE / 2, engine().durable.max());

    // then
    var get = ask(() -> node.tier.get(shard, "old"));
    node.world.sleeper().sleep(AT_ONCE);
    assertThat(get.isDone()).isFalse();
    thaw.countDown();
    assertThat(get.get().exists()).isFalse();
    engine().versions.forgetDeletes(node.world.clock().nanoTime() + 1, engine().durable.max());
    assertThat(engine().versions.tombstones()).isZero();
  }

  @Test
  void whoWaitsTooLongIsRefusedAndNothingIsTold() throws Exception {
    // given
    undurableWrites();

    // when
    ShardEngine engine = engine();
    var told =
        ask(() -> {
          engine.awaitTellable("new", 3, Duration.ofMillis(20));
          return true;
        });

    // then
    assertThat(told)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.type().status()).isEqualTo(503));
  }

  /// A request for many documents reads some at a time: it would wait again for each of them.
  @Test
  void whoAsksAfterOthersHaveWaitedInVainWaitsNoLonger() throws Exception {
    // given
    undurableWrites();
    until(() -> engine().durable.waiting().isPositive());

    // when
    thaw.countDown();

    // then
    until(() -> engine().durable.waiting().isZero());
    assertThat(ShardEngine.tellablePatience(Duration.ZERO)).isEqualTo(ShardEngine.TELLABLE_MAX);
    assertThat(ShardEngine.tellablePatience(Duration.ofSeconds(7)))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(ShardEngine.tellablePatience(ShardEngine.TELLABLE_MAX))
        .isEqualTo(ShardEngine.TELLABLE_MIN);
  }
}
