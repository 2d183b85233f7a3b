package dev.holdfast.indexing.resend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import dev.holdfast.indexing.version.Row;
import dev.holdfast.translog.Operation;
import dev.holdfast.translog.Operation.Sent;
import dev.holdfast.translog.WriteOrigin;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a shard remembers of writes that may be sent again.
class RecentWritesTest {
  private static final long NODE = 7;
  private static final long OTHER = -9;

  private long nowNanos;
  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return nowNanos;
        }

        @Override
        public long epochMillis() {
          return 0;
        }
      };
  private final RecentWrites writes = new RecentWrites(clock);

  private static Row row(int slot, long seqNo, long version, Effect effect) {
    Row row = new Row(slot, "id" + slot, Kind.INDEX, Condition.NONE, false, null, null);
    row.seqNo = seqNo;
    row.primaryTerm = 3;
    row.version = version;
    row.effect = effect;
    return row;
  }

  private static WriteOrigin origin(long number, long oldest) {
    return new WriteOrigin(NODE, number, oldest);
  }

  private void did(WriteOrigin origin, Row... rows) {
    writes.did(WriteAttempt.first(origin), List.of(rows));
  }

  private static List<WriteResult.Done> told(RecentWrites from, WriteOrigin origin, int upTo) {
    List<WriteResult.Done> told = new ArrayList<>();
    for (int ordinal = 0; ordinal < upTo; ordinal++) {
      for (RecentRun run : from.begin(origin)) {
        if (run.holds(ordinal)) {
          told.add(run.done("id" + ordinal, ordinal));
        }
      }
    }
    return told;
  }

  private static void assertForgotten(RecentWrites writes, WriteOrigin origin) {
    assertThatThrownBy(() -> writes.begin(origin))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.TIMEOUT));
  }

  @Test
  void anAttemptFindsWhatAnEarlierOneDid() {
    // given: the third was refused
    did(
        origin(1, 1),
        row(0, 10, 1, Effect.CREATED),
        row(1, 11, 300, Effect.UPDATED),
        row(3, 12, 2, Effect.DELETED),
        row(4, 13, 1L << 62, Effect.NOT_FOUND));

    // when, then
    assertThat(told(writes, origin(1, 1), 6))
        .containsExactly(
            new WriteResult.Done("id0", Effect.CREATED, 10, 3, 1, null),
            new WriteResult.Done("id1", Effect.UPDATED, 11, 3, 300, null),
            new WriteResult.Done("id3", Effect.DELETED, 12, 3, 2, null),
            new WriteResult.Done("id4", Effect.NOT_FOUND, 13, 3, 1L << 62, null));
    assertThat(writes.begin(origin(2, 1))).isEmpty();
  }

  @Test
  void whatNobodySendsAgainIsForgottenAndRefusedWhenItComesLate() {
    // given
    for (long number = 1; number <= 5; number++) {
      did(origin(number, 1), row(0, number, 1, Effect.CREATED));
    }

    // when: the next write says that the first three have ended
    assertThat(writes.begin(origin(6, 4))).isEmpty();

    // then
    assertThat(writes.count()).isEqualTo(2);
    assertForgotten(writes, origin(3, 1));
    assertThat(told(writes, origin(4, 4), 1)).hasSize(1);
  }

  @Test
  void theNumberOfWritesIsBoundedAndTheOldestAreRefused() {
    // given: a node with more under way than are remembered
    did(new WriteOrigin(OTHER, 1, 1), row(0, 0, 1, Effect.CREATED));
    for (long number = 1; number <= RecentWrites.WRITES_MAX + 10; number++) {
      did(origin(number, 1), row(0, number, 1, Effect.CREATED));
    }

    // when, then
    assertThat(writes.count()).isEqualTo(RecentWrites.WRITES_MAX);
    assertForgotten(writes, origin(1, 1));
    assertThat(told(writes, origin(RecentWrites.WRITES_MAX + 10, 1), 1)).hasSize(1);
    assertThat(told(writes, new WriteOrigin(OTHER, 1, 1), 1)).hasSize(1);
  }

  @Test
  void timeAndMembersBoundItToo() {
    // given
    did(origin(1, 1), row(0, 1, 1, Effect.CREATED));
    did(new WriteOrigin(OTHER, 1, 1), row(0, 2, 1, Effect.CREATED));

    // when
    writes.tidy(name -> name == NODE);

    // then
    assertThat(writes.count()).isEqualTo(1);

    // when
    nowNanos += RecentWrites.KEPT_MAX.toNanos() + 1;
    writes.tidy(name -> name == NODE);

    // then
    assertThat(writes.count()).isZero();
    assertForgotten(writes, origin(1, 1));
  }

  @Test
  void aCommitKeepsWhatItHoldsAndNothingElse() {
    // given: the second run of the first write, and the third write, come after the commit
    did(origin(5, 4), row(0, 10, 1, Effect.CREATED));
    did(origin(6, 4), row(0, 11, 2, Effect.UPDATED), row(1, 12, 1, Effect.CREATED));
    did(origin(5, 4), row(1, 13, 1, Effect.CREATED));
    did(origin(7, 4), row(0, 14, 1, Effect.CREATED));
    String saved = writes.save(12);

    // when
    RecentWrites loaded = new RecentWrites(clock);
    loaded.load(saved);

    // then
    assertThat(told(loaded, origin(5, 4), 2))
        .containsExactly(new WriteResult.Done("id0", Effect.CREATED, 10, 3, 1, null));
    assertThat(told(loaded, origin(6, 4), 2)).hasSize(2);
    assertThat(told(loaded, origin(7, 4), 2)).isEmpty();
    assertForgotten(loaded, origin(3, 1));
  }

  @Test
  void whatTheCommitLacksIsReadFromTheLog() {
    // given: two writes of a file, and an operation that nobody sends again
    byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
    List<Operation> operations =
        List.of(
            new Operation.Index(
                10, 1, "id0", null, false, source, 0, 2, new Sent(origin(5, 4), 0, false)),
            new Operation.Index(
                11, 7, "id1", null, false, source, 0, 2, new Sent(origin(5, 4), 1, true)),
            new Operation.Index(12, 1, "x", null, true, source, 0, 2, Sent.ONCE),
            new Operation.Delete(13, 2, "id0", new Sent(origin(6, 4), 0, true)),
            new Operation.Delete(14, 1, "id2", new Sent(origin(6, 4), 2, false)));

    // when
    writes.replayed(3, operations);

    // then
    assertThat(told(writes, origin(5, 4), 3))
        .containsExactly(
            new WriteResult.Done("id0", Effect.CREATED, 10, 3, 1, null),
            new WriteResult.Done("id1", Effect.UPDATED, 11, 3, 7, null));
    assertThat(told(writes, origin(6, 4), 3))
        .containsExactly(
            new WriteResult.Done("id0", Effect.DELETED, 13, 3, 2, null),
            new WriteResult.Done("id2", Effect.NOT_FOUND, 14, 3, 1, null));
    assertForgotten(writes, origin(3, 1));
  }

  @Test
  void whatDoesNotFitIntoACommitIsRefusedByTheNextOwner() {
    // given
    for (long number = 1; number <= RecentWrites.WRITES_MAX; number++) {
      did(origin(number, 1), row(0, number * 2, 1, Effect.CREATED));
    }
    String saved = writes.save(Long.MAX_VALUE);

    // when
    RecentWrites loaded = new RecentWrites(clock);
    loaded.load(saved);

    // then
    assertThat(saved.length()).isLessThan(SavedWrites.BYTES_MAX * 3 / 2);
    assertForgotten(loaded, origin(1, 1));
    assertThat(told(loaded, origin(RecentWrites.WRITES_MAX, 1), 1)).hasSize(1);
  }
}
