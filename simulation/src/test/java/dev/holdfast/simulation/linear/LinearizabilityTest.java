package dev.holdfast.simulation.linear;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulation.linear.DocumentCall.Answer;
import dev.holdfast.simulation.linear.DocumentCall.Condition;
import dev.holdfast.simulation.linear.DocumentCall.Effect;
import dev.holdfast.simulation.linear.DocumentCall.Kind;
import dev.holdfast.simulation.linear.DocumentCall.Request;
import dev.holdfast.simulation.linear.Linearizability.Sight;
import dev.holdfast.simulation.linear.Linearizability.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LinearizabilityTest {
  private static final int HISTORIES = 2_000;

  /// What goes wrong in a store that is not what it says.
  private enum Fault {
    /// A write is applied again, later.
    APPLIED_TWICE,
    /// A write happens and its client is told that it conflicts.
    OWN_CONFLICT,
    /// An acknowledged write is not there.
    LOST,
    /// A get shows what was replaced before it began.
    STALE
  }

  @Test
  void everyHistoryOfACorrectDocumentIsLinearizable() {
    for (long seed = 0; seed < HISTORIES; seed++) {
      // when
      Verdict verdict = Linearizability.judge(new Rivals(seed, null).play(60), List.of());

      // then
      assertThat(verdict).as("seed " + seed).isEqualTo(new Verdict.Linearizable());
    }
  }

  /// As after an outage: writes of all kinds have no answer, and the version of the one that is
  /// seen says how many of them happened.
  @Test
  void manyWritesWithoutAnAnswerAreJudgedByTheVersionThatIsShown() {
    // given
    List<DocumentCall> calls = new ArrayList<>();
    calls.add(
        DocumentCall.answered(
            1,
            2,
            write(Kind.INDEX, 1, new Condition.None()),
            new Answer.Done(Effect.CREATED, 0, 1)));
    for (int i = 0; i < 30; i++) {
      Condition condition = i % 3 == 0 ? new Condition.IfSeqNo(0) : new Condition.None();
      Kind kind = Kind.values()[i % Kind.values().length];
      calls.add(DocumentCall.unknown(10 + i, write(kind, 10 + i, condition)));
    }
    calls.add(DocumentCall.unknown(40, write(Kind.INDEX, 100, new Condition.None())));

    // when
    Verdict verdict = Linearizability.judge(shown(calls, 5), List.of());

    // then
    assertThat(verdict).isEqualTo(new Verdict.Linearizable());
  }

  private static Request.Write write(Kind kind, long value, Condition condition) {
    return new Request.Write(kind, value, condition);
  }

  private static List<DocumentCall> shown(List<DocumentCall> calls, long version) {
    List<DocumentCall> all = new ArrayList<>(calls);
    all.add(DocumentCall.answered(50, 51, new Request.Get(), new Answer.Shown(100, 19, version)));
    return all;
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aFaultThatClientsCouldSeeIsFound(Fault fault) {
    int made = 0;
    int found = 0;
    for (long seed = 0; seed < 500; seed++) {
      // given
      Rivals rivals = new Rivals(seed, fault);
      List<DocumentCall> calls = rivals.play(60);

      // when
      Verdict verdict = Linearizability.judge(calls, List.of());

      // then
      assertThat(verdict).as("seed " + seed).isNotInstanceOf(Verdict.Undecided.class);
      made += rivals.wasFaulty ? 1 : 0;
      found += verdict instanceof Verdict.Broken ? 1 : 0;
      assertThat(rivals.wasFaulty || verdict instanceof Verdict.Linearizable).isTrue();
    }
    assertThat(made).isGreaterThan(300);
    assertThat(found).isGreaterThan(made * 8 / 10); // the others could not be told from bad luck
  }

  @Test
  void readersSeeV1ThenV2ThenV1() {
    // given: an index whose answer was lost happens again after another client's
    List<DocumentCall> calls =
        List.of(
            DocumentCall.unknown(1, write(Kind.INDEX, 1)),
            get(2, 3, 1, 0, 1),
            done(4, 5, write(Kind.INDEX, 2), Effect.UPDATED, 1, 2),
            get(6, 7, 2, 1, 2),
            get(8, 9, 1, 2, 3));

    // when, then
    assertThat(Linearizability.judge(calls, List.of())).isInstanceOf(Verdict.Broken.class);
    assertThat(Linearizability.judge(calls.subList(0, 4), List.of()))
        .isEqualTo(new Verdict.Linearizable());
  }

  @Test
  void aCreateIsRefusedForItsOwnSuccess() {
    // given: nobody else writes
    List<DocumentCall> calls =
        List.of(
            DocumentCall.answered(1, 2, write(Kind.CREATE, 1), new Answer.Conflict()),
            get(3, 4, 1, 0, 1));

    // when, then
    assertThat(Linearizability.judge(calls, List.of())).isInstanceOf(Verdict.Broken.class);
  }

  @Test
  void whatASearchShowedCountsToo() {
    // given
    List<DocumentCall> calls =
        List.of(done(1, 2, write(Kind.INDEX, 1), Effect.CREATED, 7, 1), get(3, 4, 1, 7, 1));

    // when, then
    assertThat(Linearizability.judge(calls, List.of(new Sight(1, 7))))
        .isEqualTo(new Verdict.Linearizable());
    assertThat(Linearizability.judge(calls, List.of(new Sight(1, 5))))
        .isInstanceOf(Verdict.Broken.class);
  }

  private static Request.Write write(Kind kind, long value) {
    return new Request.Write(kind, value, Condition.NONE);
  }

  private static DocumentCall get(long begin, long end, long value, long seqNo, long version) {
    return DocumentCall.answered(
        begin, end, new Request.Get(), new Answer.Shown(value, seqNo, version));
  }

  private static DocumentCall done(
      long begin, long end, Request.Write write, Effect effect, long seqNo, long version) {
    return DocumentCall.answered(begin, end, write, new Answer.Done(effect, seqNo, version));
  }

  /// Clients of one document, whose calls overlap and whose answers are lost now and then.
  private static final class Rivals {
    private static final int CLIENTS = 4;

    private final SplittableRandom random;
    private final Fault fault;
    private final List<DocumentCall> calls = new ArrayList<>();
    private boolean exists;
    private long value;
    private long seqNo = -1;
    private long version;
    private long values;
    private long numbers;
    private boolean wasFaulty;

    Rivals(long seed, @org.jspecify.annotations.Nullable Fault fault) {
      this.random = new SplittableRandom(seed);
      this.fault = fault;
    }

    /// Each call happens at one moment between its begin and its end; the clock is the moments'.
    List<DocumentCall> play(int count) {
      long[] free = new long[CLIENTS];
      int faultAt = count / 3 + random.nextInt(count / 3);
      for (int i = 1; i <= count; i++) {
        long moment = i * 100L;
        int client = random.nextInt(CLIENTS);
        long begin = Math.max(free[client] + 1, moment - random.nextInt(250));
        if (begin > moment) {
          continue;
        }
        long end = moment + random.nextInt(250);
        boolean isLost = random.nextInt(8) == 0;
        free[client] = end;
        Request request = request();
        boolean isFaulty = fault != null && !wasFaulty && i >= faultAt;
        Answer answer = isFaulty ? faulty(request) : apply(request);
        boolean isUnknown = isLost && request instanceof Request.Write && !(isFaulty && wasFaulty);
        calls.add(
            isUnknown
                ? DocumentCall.unknown(begin, request)
                : DocumentCall.answered(begin, end, request, answer));
      }
      long after = count * 100L + 1_000;
      calls.add(
          DocumentCall.answered(after, after + 1, new Request.Get(), apply(new Request.Get())));
      return calls;
    }

    private Request request() {
      if (random.nextInt(3) == 0) {
        return new Request.Get();
      }
      Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
      Condition condition = Condition.NONE;
      if (exists && kind == Kind.INDEX && random.nextInt(2) == 0) {
        condition = new Condition.IfSeqNo(random.nextBoolean() ? seqNo : seqNo - 1);
      }
      return new Request.Write(kind, ++values, condition);
    }

    private Answer faulty(Request request) {
      if (!(request instanceof Request.Write write)) {
        if (fault == Fault.STALE && exists && calls.size() > 5) {
          Answer stale = apply(request);
          long others = seqNo;
          Answer _ = apply(new Request.Write(Kind.INDEX, ++values, Condition.NONE));
          calls.add(
              done(
                  calls.getLast().begin(),
                  calls.getLast().begin(),
                  new Request.Write(Kind.INDEX, values, Condition.NONE),
                  Effect.UPDATED,
                  seqNo,
                  version));
          wasFaulty = seqNo > others;
          return stale;
        }
        return apply(request);
      }
      return switch (fault) {
        case APPLIED_TWICE -> {
          Answer first = apply(write);
          if (first instanceof Answer.Done && write.kind() == Kind.INDEX) {
            Answer _ = apply(new Request.Write(Kind.INDEX, write.value(), Condition.NONE));
            wasFaulty = true;
          }
          yield first;
        }
        case OWN_CONFLICT -> {
          Answer answer = apply(write);
          boolean isOurs = write.kind() == Kind.INDEX && answer instanceof Answer.Done;
          wasFaulty = isOurs;
          yield isOurs ? new Answer.Conflict() : answer;
        }
        case LOST -> {
          boolean before = exists;
          long[] old = {value, seqNo, version};
          Answer answer = apply(write);
          if (answer instanceof Answer.Done && write.kind() == Kind.INDEX) {
            exists = before;
            value = old[0];
            seqNo = old[1];
            version = old[2];
            wasFaulty = true;
          }
          yield answer;
        }
        case STALE -> apply(write);
      };
    }

    private Answer apply(Request request) {
      if (!(request instanceof Request.Write write)) {
        return exists ? new Answer.Shown(value, seqNo, version) : new Answer.Nothing();
      }
      if (write.condition() instanceof Condition.IfSeqNo(long wanted)
          && (!exists || wanted != seqNo)) {
        return new Answer.Conflict();
      }
      if (write.kind() == Kind.CREATE && exists) {
        return new Answer.Conflict();
      }
      if (write.kind() == Kind.UPDATE && !exists) {
        return new Answer.Missing();
      }
      boolean isDelete = write.kind() == Kind.DELETE;
      Effect effect =
          isDelete
              ? exists ? Effect.DELETED : Effect.NOT_FOUND
              : exists ? Effect.UPDATED : Effect.CREATED;
      exists = !isDelete;
      value = isDelete ? 0 : write.value();
      seqNo = numbers++;
      version++;
      return new Answer.Done(effect, seqNo, version);
    }
  }
}
