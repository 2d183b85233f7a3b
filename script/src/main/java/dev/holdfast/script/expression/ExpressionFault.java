package dev.holdfast.script.expression;

/// What is no expression, and where.
final class ExpressionFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int offset;

  ExpressionFault(int offset, String reason) {
    super(reason, null, false, false);
    this.offset = offset;
  }

  int offset() {
    return offset;
  }
}
