package dev.holdfast.script;

import dev.holdfast.script.compile.Compiler;
import dev.holdfast.script.expression.ExpressionText;
import dev.holdfast.script.runtime.RegexRule;
import dev.holdfast.script.type.Allowlist;
import dev.holdfast.script.type.Shape;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Refusal;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Compiled scripts, the ones used last of them kept: a class is a function of source and context
/// alone, so that all who compile in a process share them.
public final class Scripts {
  /// `script.max_size_in_bytes`, unless it is set.
  public static final int BYTES_MAX = 65_535;

  /// What the cluster's settings say of scripts.
  ///
  /// @param bytesMax `script.max_size_in_bytes`
  /// @param rate `script.max_compilations_rate`
  /// @param stored the texts of all stored scripts
  public record Limits(int bytesMax, String rate, Set<String> stored) {}

  private record Governed(int bytesMax, @Nullable Clock clock, Set<String> stored) {}

  /// A compiled script and when somebody last wanted it.
  private static final class Kept {
    final Constructor<?> script;
    long lastMillis;

    Kept(Constructor<?> script) {
      this.script = script;
    }
  }

  private record Key(String source, Shape shape) {}

  private static final Map<Key, Kept> KEPT = new LinkedHashMap<>(64, 0.75f, true);
  private static final CompilationRate RATE = new CompilationRate();
  private static volatile Governed governed = new Governed(BYTES_MAX, null, Set.of());
  private static volatile ScriptRules rules = ScriptRules.defaults();
  private static final LongAdder COMPILATIONS = new LongAdder();
  private static final LongAdder EVICTIONS = new LongAdder();

  private Scripts() {}

  /// @return what makes instances, with the arguments of the context's own constructor
  /// @throws Refusal `script_exception`, 400, when it does not compile in that context
  public static Constructor<?> compiled(ScriptSource script, Shape shape) {
    String text = script.text();
    Governed limits = governed;
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > limits.bytesMax) {
      throw Refusal.badArgument(
          "exceeded max allowed inline script size in bytes ["
              + limits.bytesMax
              + "] with size ["
              + bytes
              + "] for script ["
              + text.substring(0, Math.min(100, text.length()))
              + "...]");
    }
    requireAllowed(script, shape, limits);
    String source =
        switch (script.lang()) {
          case ScriptSource.PAINLESS -> text;
          case ScriptSource.EXPRESSION ->
              ExpressionText.painless(text, shape, script.params().keySet());
          default -> throw Refusal.badArgument("script_lang not supported [" + script.lang() + "]");
        };
    Key key = new Key(source, shape);
    long nowMillis = limits.clock == null ? 0 : limits.clock.epochMillis();
    synchronized (KEPT) {
      Kept kept = KEPT.get(key);
      if (kept != null && !isStale(kept, nowMillis)) {
        kept.lastMillis = nowMillis;
        return kept.script;
      }
    }
    if (limits.clock != null) {
      RATE.take(limits.clock);
    }
    Constructor<?> made = Compiler.compile(source, shape, Allowlist.standard());
    COMPILATIONS.increment();
    keep(key, made, nowMillis);
    return made;
  }

  private static void keep(Key key, Constructor<?> made, long nowMillis) {
    Kept kept = new Kept(made);
    kept.lastMillis = nowMillis;
    synchronized (KEPT) {
      KEPT.put(key, kept);
      Iterator<Kept> oldest = KEPT.values().iterator();
      while (oldest.hasNext()) {
        Kept one = oldest.next();
        if (KEPT.size() <= rules.keptMax() && !isStale(one, nowMillis)) {
          break;
        }
        oldest.remove();
        EVICTIONS.increment();
      }
    }
  }

  private static boolean isStale(Kept kept, long nowMillis) {
    long keptMillis = rules.keptFor().toMillis();
    return keptMillis > 0 && nowMillis - kept.lastMillis > keptMillis;
  }

  /// What is no stored script's text is inline, whatever the request says.
  private static void requireAllowed(ScriptSource script, Shape shape, Governed limits) {
    ScriptRules now = rules;
    if (!now.types().contains(ScriptRules.INLINE)
        && !(now.types().contains(ScriptRules.STORED) && limits.stored.contains(script.text()))) {
      throw Refusal.badArgument("cannot execute [inline] scripts");
    }
    if (!now.contexts().isEmpty() && !now.contexts().contains(shape.name())) {
      throw Refusal.badArgument("cannot execute scripts using [" + shape.name() + "] context");
    }
  }

  /// Whether stored scripts may be run.
  public static boolean runsStored() {
    return rules.types().contains(ScriptRules.STORED);
  }

  /// Obeys the settings of a node, which starts.
  public static void obey(ScriptRules given) {
    rules = given;
    RegexRule.obey(given.regex());
  }

  /// Obeys the settings of a cluster; in a process with several nodes, those of whichever says so
  /// last.
  public static void limit(Limits limits, Clock clock) {
    RATE.set(limits.rate, clock);
    governed = new Governed(limits.bytesMax, clock, limits.stored);
  }

  /// Compilations that were refused because there had been too many.
  public static long refused() {
    return RATE.refused();
  }

  /// A script of its own for one user of it.
  ///
  /// @param base the context's class
  public static <T> T instance(Class<T> base, Constructor<?> compiled, Object... arguments) {
    try {
      return base.cast(compiled.newInstance(arguments));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("script cannot be made", e);
    }
  }

  public static long compilations() {
    return COMPILATIONS.sum();
  }

  public static long evictions() {
    return EVICTIONS.sum();
  }
}
