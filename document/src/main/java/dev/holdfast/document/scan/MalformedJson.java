package dev.holdfast.document.scan;

/// Bytes that are not JSON: what is wrong and where. Carries no stack trace, for it is the client's
/// fault.
public final class MalformedJson extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;

  MalformedJson(String message, int line, int column) {
    super(message, null, false, false);
    this.line = line;
    this.column = column;
  }

  /// Lines from 1.
  public int line() {
    return line;
  }

  /// Bytes of the line, from 1.
  public int column() {
    return column;
  }
}
