package dev.holdfast.script;

import dev.holdfast.script.compile.Compiler;
import dev.holdfast.script.expression.ExpressionText;
import dev.holdfast.script.type.Allowlist;
import dev.holdfast.script.type.Shape;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Refusal;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Compiled scripts, the ones used last of them kept: a class is a function of source and context
/// alone, so that all who compile in a process share them.
public final class Scripts {
  /// `script.cache.max_size`.
  public static final int KEPT_MAX = 3000;

  /// `script.max_size_in_bytes`, unless it is set.
  public static final int BYTES_MAX = 65_535;

  /// What the cluster's settings say of scripts.
  ///
  /// @param bytesMax `script.max_size_in_bytes`
  /// @param rate `script.max_compilations_rate`
  public record Limits(int bytesMax, String rate) {}

  private record Governed(int bytesMax, @Nullable Clock clock) {}

  private record Key(String source, Shape shape) {}

  private static final Map<Key, Constructor<?>> KEPT = new LinkedHashMap<>(64, 0.75f, true);
  private static final CompilationRate RATE = new CompilationRate();
  private static volatile Governed governed = new Governed(BYTES_MAX, null);
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
    String source =
        switch (script.lang()) {
          case ScriptSource.PAINLESS -> text;
          case ScriptSource.EXPRESSION ->
              ExpressionText.painless(text, shape, script.params().keySet());
          default -> throw Refusal.badArgument("script_lang not supported [" + script.lang() + "]");
        };
    Key key = new Key(source, shape);
    synchronized (KEPT) {
      Constructor<?> kept = KEPT.get(key);
      if (kept != null) {
        return kept;
      }
    }
    if (limits.clock != null) {
      RATE.take(limits.clock);
    }
    Constructor<?> made = Compiler.compile(source, shape, Allowlist.standard());
    COMPILATIONS.increment();
    synchronized (KEPT) {
      KEPT.put(key, made);
      if (KEPT.size() > KEPT_MAX) {
        Iterator<Key> oldest = KEPT.keySet().iterator();
        oldest.next();
        oldest.remove();
        EVICTIONS.increment();
      }
    }
    return made;
  }

  /// Obeys the settings of a cluster; in a process with several nodes, those of whichever says so
  /// last.
  public static void limit(Limits limits, Clock clock) {
    RATE.set(limits.rate, clock);
    governed = new Governed(limits.bytesMax, clock);
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
