package dev.holdfast.chaos.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one document may look like. Operations on an id come from one client, one after the other;
/// an operation whose answer never came may have happened or not.
public final class Expectation {
  /// A state of the document.
  ///
  /// @param value what its field holds; null when it does not exist
  /// @param seqNo of the operation that made it so; -1 when not known
  record State(@Nullable Long value, long seqNo) {
    static final State ABSENT = new State(null, -1);
  }

  private State acknowledged = State.ABSENT;
  private final List<State> unknown = new ArrayList<>();

  /// Nothing was ever written: expectations of some clients' documents.
  public static Expectation[][] table(int clients, int documentsEach) {
    Expectation[][] table = new Expectation[clients][documentsEach];
    for (Expectation[] own : table) {
      Arrays.setAll(own, _ -> new Expectation());
    }
    return table;
  }

  /// An operation was sent.
  synchronized void sent(@Nullable Long value) {
    unknown.add(new State(value, -1));
  }

  /// The oldest operation that is still open was acknowledged. Operations of one client on one id
  /// do not overlap, so what was unknown before can't happen any more.
  synchronized void acknowledged(@Nullable Long value, long seqNo) {
    acknowledged = new State(value, seqNo);
    unknown.clear();
  }

  /// The operation was refused: it never happened, but earlier ones without an answer may have.
  synchronized void refused() {
    unknown.removeLast();
  }

  /// Why what was found can't be; null when it can. What is found becomes what is known.
  synchronized @Nullable String check(@Nullable Long found, long seqNo) {
    if (java.util.Objects.equals(found, acknowledged.value())) {
      boolean isSameOperation =
          unknown.stream().noneMatch(s -> java.util.Objects.equals(s.value(), found));
      if (isSameOperation
          && found != null
          && acknowledged.seqNo() >= 0
          && seqNo != acknowledged.seqNo()) {
        return "sequence number changed: acknowledged "
            + acknowledged
            + ", found [seq_no="
            + seqNo
            + "]";
      }
      unknown.clear();
      acknowledged = new State(found, seqNo);
      return null;
    }
    for (State state : unknown) {
      if (java.util.Objects.equals(state.value(), found)) {
        unknown.clear();
        acknowledged = new State(found, seqNo);
        return null;
      }
    }
    return (found == null
            ? "lost"
            : acknowledged.value() == null ? "resurrected" : "older or never written")
        + ": acknowledged "
        + acknowledged
        + ", without answer "
        + unknown
        + ", found [value="
        + found
        + ", seq_no="
        + seqNo
        + "]";
  }

  synchronized State known() {
    return acknowledged;
  }
}
