package dev.holdfast.script.runtime;

/// A script that goes on or grows beyond its limits. An error, so that no script catches it.
public final class ScriptLimitError extends Error {
  private static final long serialVersionUID = 1L;

  public ScriptLimitError(String reason) {
    super(reason);
  }
}
