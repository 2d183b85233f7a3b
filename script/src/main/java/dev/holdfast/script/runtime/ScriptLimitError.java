package dev.holdfast.script.runtime;

import dev.holdfast.world.ErrorType;

/// A script that goes on or grows beyond its limits. An error, so that no script catches it.
public final class ScriptLimitError extends Error {
  private static final long serialVersionUID = 1L;

  private final ErrorType type;

  public ScriptLimitError(String reason) {
    this(ErrorType.PAINLESS_ERROR, reason);
  }

  ScriptLimitError(ErrorType type, String reason) {
    super(reason);
    this.type = type;
  }

  /// What the cause of the script's failure is to clients.
  ErrorType type() {
    return type;
  }
}
