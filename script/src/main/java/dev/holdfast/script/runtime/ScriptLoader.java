package dev.holdfast.script.runtime;

import dev.holdfast.script.type.Allowlist;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;

/// Holds the one class of a compiled script, so that both go when the script is forgotten. A class
/// of a loader, not a hidden one: the frames of hidden classes are left out of stack traces, and
/// those say where a script failed.
public final class ScriptLoader extends ClassLoader {
  private final String source;
  private final Allowlist allowlist;
  private final BitSet statements;
  private final List<Pattern> patterns;

  /// @param statements where statements of the source begin
  /// @param patterns the regular expressions of the source
  public ScriptLoader(
      String source, Allowlist allowlist, BitSet statements, List<Pattern> patterns) {
    super(ScriptLoader.class.getClassLoader());
    this.source = source;
    this.allowlist = allowlist;
    this.statements = statements;
    this.patterns = List.copyOf(patterns);
  }

  /// A regular expression of a compiled script, which asks for it when it is initialised: compiled
  /// there, on another stack than its compiler had, it could fail where nobody expects it.
  public static Pattern pattern(Class<?> script, int number) {
    return ((ScriptLoader) script.getClassLoader()).patterns.get(number);
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
