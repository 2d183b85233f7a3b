package dev.holdfast.simulation.linear;

import dev.holdfast.simulation.linear.DocumentCall.Answer;
import dev.holdfast.simulation.linear.DocumentCall.Condition;
import dev.holdfast.simulation.linear.DocumentCall.Effect;
import dev.holdfast.simulation.linear.DocumentCall.Kind;
import dev.holdfast.simulation.linear.DocumentCall.Request;
import java.util.List;

/// A document between two operations, and what an operation makes of it: Elasticsearch's rules,
/// written down a second time.
///
/// @param seqNo of the newest write, deletes included; when it is not known, the newest one known
///   before it
/// @param version of the newest write; 0: never written
record DocumentState(boolean exists, long value, long seqNo, boolean isSeqNoKnown, long version) {
  static final DocumentState NONE = new DocumentState(false, 0, -1, true, 0);

  /// The states after a call that was answered as it was; none when it can't have happened here.
  List<DocumentState> after(Request request, Answer answer) {
    return switch (request) {
      case Request.Get _ -> read(answer);
      case Request.Write write ->
          switch (answer) {
            case Answer.Done done -> done(write, done);
            case Answer.Conflict _ -> conflicts(write) ? List.of(this) : List.of();
            case Answer.Missing _ ->
                write.kind() == Kind.UPDATE && !exists ? List.of(this) : List.of();
            case Answer.Shown _, Answer.Nothing _, Answer.Unknown _ -> List.of();
          };
    };
  }

  private List<DocumentState> read(Answer answer) {
    if (!(answer instanceof Answer.Shown shown)) {
      return exists ? List.of() : List.of(this);
    }
    boolean isThis =
        exists
            && shown.value() == value
            && shown.version() == version
            && (isSeqNoKnown ? shown.seqNo() == seqNo : shown.seqNo() > seqNo);
    return isThis
        ? List.of(new DocumentState(true, value, shown.seqNo(), true, version))
        : List.of();
  }

  private List<DocumentState> done(Request.Write write, Answer.Done done) {
    if (done.effect() == Effect.NOOP) {
      boolean isSame = exists && value == write.value() && seqNo == done.seqNo();
      return isSame ? List.of(this) : List.of();
    }
    boolean isTold =
        accepts(write)
            && done.effect() == effect(write)
            && done.seqNo() > seqNo
            && versionsAfter(write).contains(done.version());
    return isTold
        ? List.of(written(write, write.value(), done.seqNo(), true, done.version()))
        : List.of();
  }

  /// The states after a write that was not answered, in which it happened.
  ///
  /// @param shownValue what reads will show of it
  /// @param shownSeqNo its number, when anybody has seen it; else -1
  List<DocumentState> afterUnknown(Request.Write write, long shownValue, long shownSeqNo) {
    if (!accepts(write) || (shownSeqNo >= 0 && shownSeqNo <= seqNo)) {
      return List.of();
    }
    boolean isKnown = shownSeqNo >= 0;
    return versionsAfter(write).stream()
        .map(v -> written(write, shownValue, isKnown ? shownSeqNo : seqNo, isKnown, v))
        .toList();
  }

  private static DocumentState written(
      Request.Write write, long value, long seqNo, boolean isKnown, long version) {
    boolean isDelete = write.kind() == Kind.DELETE;
    return new DocumentState(!isDelete, isDelete ? 0 : value, seqNo, isKnown, version);
  }

  private boolean accepts(Request.Write write) {
    boolean isThere =
        switch (write.kind()) {
          case CREATE -> !exists;
          case UPDATE -> exists;
          case INDEX, UPSERT, DELETE -> true;
        };
    return isThere
        && switch (write.condition()) {
          case Condition.None() -> true;
          case Condition.IfSeqNo(long wanted) ->
              exists && (isSeqNoKnown ? seqNo == wanted : seqNo < wanted);
          // A delete may have been forgotten, and its version with it.
          case Condition.External(long given) -> !exists || given > version;
        };
  }

  private boolean conflicts(Request.Write write) {
    return switch (write.condition()) {
      case Condition.None() ->
          switch (write.kind()) {
            case CREATE -> exists;
            case UPDATE, UPSERT -> true; // it lost every race with others
            case INDEX, DELETE -> false;
          };
      case Condition.IfSeqNo(long wanted) -> !(exists && isSeqNoKnown && seqNo == wanted);
      case Condition.External(long given) -> version >= given;
    };
  }

  private Effect effect(Request.Write write) {
    return write.kind() == Kind.DELETE
        ? exists ? Effect.DELETED : Effect.NOT_FOUND
        : exists ? Effect.UPDATED : Effect.CREATED;
  }

  /// A forgotten delete lets versions begin anew.
  private List<Long> versionsAfter(Request.Write write) {
    if (write.condition() instanceof Condition.External(long given)) {
      return List.of(given);
    }
    return exists || version == 0 ? List.of(version + 1) : List.of(version + 1, 1L);
  }
}
