package dev.holdfast.script;

import dev.holdfast.script.runtime.RegexRule;
import java.time.Duration;
import java.util.Set;

/// What a node's own settings say of scripts, from its start on.
///
/// @param types `script.allowed_types`: of `inline` and `stored`
/// @param contexts `script.allowed_contexts`: their names; empty for all
/// @param keptMax `script.cache.max_size`
/// @param keptFor `script.cache.expire`: how long a compiled script is kept that nobody runs; zero
///   for as long as there is room
public record ScriptRules(
    Set<String> types, Set<String> contexts, int keptMax, Duration keptFor, RegexRule regex) {
  public static final String INLINE = "inline";
  public static final String STORED = "stored";

  /// All that `script.cache.max_size` is unless it is set.
  public static final int KEPT_MAX = 3000;

  public ScriptRules {
    types = Set.copyOf(types);
    contexts = Set.copyOf(contexts);
  }

  /// Whether scripts may run in a context.
  public boolean allows(String context) {
    return contexts.isEmpty() || contexts.contains(context);
  }

  /// Everything is allowed.
  public static ScriptRules defaults() {
    return new ScriptRules(
        Set.of(INLINE, STORED), Set.of(), KEPT_MAX, Duration.ZERO, RegexRule.LIMITED);
  }
}
