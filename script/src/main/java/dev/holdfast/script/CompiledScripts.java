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
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The compiled scripts of a node, the ones used last of them kept, and what its settings and those
/// of its cluster allow: a class is a function of source and context alone, so that all who compile
/// for a node share them. Guards itself.
public final class CompiledScripts {
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

  /// Of the heap, what the texts of those that are kept take: one part in so many. What they are
  /// compiled to takes as much elsewhere.
  private static final int HEAP_SHARE = 64;

  private final ScriptRules rules;
  private final Map<Key, Kept> kept = new LinkedHashMap<>(64, 0.75f, true);

  /// Of the sources in `kept`, and guarded by it.
  private long keptCharacters;

  private final CompilationRate rate = new CompilationRate();
  private final LongAdder compilations = new LongAdder();
  private final LongAdder evictions = new LongAdder();
  private volatile Governed governed = new Governed(BYTES_MAX, null, Set.of());

  /// @param rules what the node's own settings say
  public CompiledScripts(ScriptRules rules) {
    this.rules = rules;
  }

  /// Does something for the node of these scripts: what is compiled meanwhile on this thread is
  /// among them.
  public <T, X extends Throwable> T during(ScopedValue.CallableOp<? extends T, X> work) throws X {
    return rules.regex().beside(Scripts.bound(this)).<T, X>call(work);
  }

  /// Obeys the settings of the cluster.
  public void limit(Limits limits, Clock clock) {
    rate.set(limits.rate, clock);
    governed = new Governed(limits.bytesMax, clock, limits.stored);
  }

  Constructor<?> compiled(ScriptSource script, Shape shape) {
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
    synchronized (kept) {
      Kept known = kept.get(key);
      if (known != null && !isStale(known, nowMillis)) {
        known.lastMillis = nowMillis;
        return known.script;
      }
    }
    if (limits.clock != null) {
      rate.take(limits.clock);
    }
    Constructor<?> made = Compiler.compile(source, shape, Allowlist.standard());
    compilations.increment();
    keep(key, made, nowMillis);
    return made;
  }

  private void keep(Key key, Constructor<?> made, long nowMillis) {
    Kept one = new Kept(made);
    one.lastMillis = nowMillis;
    long charactersMax = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    synchronized (kept) {
      if (kept.put(key, one) == null) {
        keptCharacters += key.source.length();
      }
      Iterator<Map.Entry<Key, Kept>> oldest = kept.entrySet().iterator();
      while (oldest.hasNext()) {
        Map.Entry<Key, Kept> next = oldest.next();
        boolean isRoom = kept.size() <= rules.keptMax() && keptCharacters <= charactersMax;
        if (isRoom && !isStale(next.getValue(), nowMillis)) {
          break;
        }
        keptCharacters -= next.getKey().source.length();
        oldest.remove();
        evictions.increment();
      }
    }
  }

  private boolean isStale(Kept one, long nowMillis) {
    long keptMillis = rules.keptFor().toMillis();
    return keptMillis > 0 && nowMillis - one.lastMillis > keptMillis;
  }

  /// What is no stored script's text is inline, whatever the request says.
  private void requireAllowed(ScriptSource script, Shape shape, Governed limits) {
    if (!rules.types().contains(ScriptRules.INLINE)
        && !(runsStored() && limits.stored.contains(script.text()))) {
      throw Refusal.badArgument("cannot execute [inline] scripts");
    }
    if (!rules.allows(shape.name())) {
      throw Refusal.badArgument("cannot execute scripts using [" + shape.name() + "] context");
    }
  }

  ScriptRules rules() {
    return rules;
  }

  boolean runsStored() {
    return rules.types().contains(ScriptRules.STORED);
  }

  /// Scripts compiled since the node started.
  public long compilations() {
    return compilations.sum();
  }

  /// Scripts that were kept and are kept no longer.
  public long evictions() {
    return evictions.sum();
  }

  /// Compilations that were refused because there had been too many.
  public long refused() {
    return rate.refused();
  }
}
