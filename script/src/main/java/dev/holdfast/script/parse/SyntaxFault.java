package dev.holdfast.script.parse;

/// A text that is no script, or one that cannot mean anything: where, and why.
public final class SyntaxFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What Elasticsearch's exception would be called.
  public enum Kind {
    ILLEGAL_ARGUMENT,
    CLASS_CAST
  }

  private final int offset;
  private final Kind kind;

  public SyntaxFault(int offset, String reason) {
    this(offset, Kind.ILLEGAL_ARGUMENT, reason);
  }

  public SyntaxFault(int offset, Kind kind, String reason) {
    super(reason, null, false, false);
    this.offset = offset;
    this.kind = kind;
  }

  /// In characters from the beginning of the source.
  public int offset() {
    return offset;
  }

  public Kind kind() {
    return kind;
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}
