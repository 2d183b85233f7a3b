package dev.holdfast.simulation.linear;

/// One request for one document, and what its client was told.
///
/// @param begin when it was sent, on any clock that all calls of a history share
/// @param end when the answer came; [#NEVER] when none did
public record DocumentCall(long begin, long end, Request request, Answer answer) {
  /// Of a call without an answer: it may happen at any later time, or not at all.
  public static final long NEVER = Long.MAX_VALUE;

  public DocumentCall {
    if (begin > end || (end == NEVER) != (answer instanceof Answer.Unknown)) {
      throw new IllegalArgumentException(begin + " to " + end + ": " + answer);
    }
  }

  /// A call that was answered.
  public static DocumentCall answered(long begin, long end, Request request, Answer answer) {
    return new DocumentCall(begin, end, request, answer);
  }

  /// A call that timed out, or whose answer says that nobody knows.
  public static DocumentCall unknown(long begin, Request request) {
    return new DocumentCall(begin, NEVER, request, new Answer.Unknown());
  }

  boolean isAnswered() {
    return end != NEVER;
  }

  /// What was asked.
  public sealed interface Request {
    /// A write.
    ///
    /// @param value what the document holds afterwards: no two writes of a history have the same
    record Write(Kind kind, long value, Condition condition) implements Request {}

    /// A real-time get.
    record Get() implements Request {}
  }

  /// Kinds of write.
  public enum Kind {
    INDEX,
    CREATE,
    /// A partial update that sets the value, of a document that must exist.
    UPDATE,
    /// An update that makes the document when it is not there.
    UPSERT,
    DELETE
  }

  /// What must hold for a write to happen.
  public sealed interface Condition {
    Condition NONE = new None();

    record None() implements Condition {}

    /// `if_seq_no`.
    record IfSeqNo(long seqNo) implements Condition {}

    /// `version_type=external`.
    record External(long version) implements Condition {}
  }

  /// What was told.
  public sealed interface Answer {
    /// The write happened.
    record Done(Effect effect, long seqNo, long version) implements Answer {}

    /// 409: it did not, for what the document was.
    record Conflict() implements Answer {}

    /// 404: there was nothing to update.
    record Missing() implements Answer {}

    /// A get found the document.
    record Shown(long value, long seqNo, long version) implements Answer {}

    /// A get found none.
    record Nothing() implements Answer {}

    /// Nothing, or nothing that tells what became of it.
    record Unknown() implements Answer {}
  }

  /// The `result` of a write.
  public enum Effect {
    CREATED,
    UPDATED,
    DELETED,
    NOOP,
    NOT_FOUND
  }

  @Override
  public String toString() {
    return "["
        + begin
        + ", "
        + (isAnswered() ? Long.toString(end) : "..")
        + "] "
        + request
        + " -> "
        + answer;
  }
}
