package dev.holdfast.script.runtime;

import dev.holdfast.script.type.Allowlist;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.util.BitSet;

/// Holds the one class of a compiled script, so that both go when the script is forgotten. A class
/// of a loader, not a hidden one: the frames of hidden classes are left out of stack traces, and
/// those say where a script failed.
public final class ScriptLoader extends ClassLoader {
  private final String source;
  private final Allowlist allowlist;
  private final BitSet statements;

  /// @param statements where statements of the source begin
  public ScriptLoader(String source, Allowlist allowlist, BitSet statements) {
    super(ScriptLoader.class.getClassLoader());
    this.source = source;
    this.allowlist = allowlist;
    this.statements = statements;
  }

  public Class<?> define(String name, byte[] bytes) {
    return defineClass(name, bytes, 0, bytes.length);
  }

  Allowlist allowlist() {
    return allowlist;
  }

  RuntimeException failure(Throwable error) {
    return switch (error) {
      case Refusal refusal when !ScriptErrors.isOfScript(refusal) -> refusal;
      case StopSignal.TimeOver over -> over;
      default -> ScriptErrors.runtime(source, statements, error);
    };
  }
}
