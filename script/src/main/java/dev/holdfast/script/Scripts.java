package dev.holdfast.script;

import dev.holdfast.script.compile.Compiler;
import dev.holdfast.script.type.Allowlist;
import dev.holdfast.script.type.Shape;
import dev.holdfast.world.Refusal;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// Compiled scripts, the ones used last of them kept: a class is a function of source and context
/// alone, so that all who compile in a process share them.
public final class Scripts {
  /// `script.cache.max_size`.
  public static final int KEPT_MAX = 3000;

  /// `script.max_size_in_bytes`.
  public static final int BYTES_MAX = 65_535;

  private record Key(String source, Shape shape) {}

  private static final Map<Key, Constructor<?>> KEPT = new LinkedHashMap<>(64, 0.75f, true);
  private static final LongAdder COMPILATIONS = new LongAdder();
  private static final LongAdder EVICTIONS = new LongAdder();

  private Scripts() {}

  /// @return what makes instances, with the arguments of the context's own constructor
  /// @throws Refusal `script_exception`, 400, when it does not compile in that context
  public static Constructor<?> compiled(ScriptSource script, Shape shape) {
    if (!script.lang().equals(ScriptSource.PAINLESS)) {
      throw Refusal.badArgument(
          script.lang().equals(ScriptSource.EXPRESSION)
              ? "expression engine does not know how to handle script context ["
                  + shape.name()
                  + "]"
              : "script_lang not supported [" + script.lang() + "]");
    }
    String source = script.text();
    if (source.length() > BYTES_MAX || source.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
      throw Refusal.badArgument(
          "exceeded max allowed inline script size in bytes ["
              + BYTES_MAX
              + "] with size ["
              + source.getBytes(StandardCharsets.UTF_8).length
              + "] for script ["
              + source.substring(0, 100)
              + "...]");
    }
    Key key = new Key(source, shape);
    synchronized (KEPT) {
      Constructor<?> kept = KEPT.get(key);
      if (kept != null) {
        return kept;
      }
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
