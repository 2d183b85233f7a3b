package dev.holdfast.script;

import dev.holdfast.script.type.Shape;
import dev.holdfast.world.Refusal;
import java.lang.reflect.Constructor;

/// The scripts of the node that the thread works for ([CompiledScripts]): no part on the way need
/// be handed them. Threads that work for no node (tools, tests) have some in common, with defaults
/// for settings.
public final class Scripts {
  private static final ScopedValue<CompiledScripts> BOUND = ScopedValue.newInstance();
  private static final CompiledScripts NOBODYS = new CompiledScripts(ScriptRules.defaults());

  private Scripts() {}

  static ScopedValue.Carrier bound(CompiledScripts scripts) {
    return ScopedValue.where(BOUND, scripts);
  }

  private static CompiledScripts current() {
    return BOUND.isBound() ? BOUND.get() : NOBODYS;
  }

  /// @return what makes instances, with the arguments of the context's own constructor
  /// @throws Refusal `script_exception`, 400, when it does not compile in that context
  public static Constructor<?> compiled(ScriptSource script, Shape shape) {
    return current().compiled(script, shape);
  }

  /// Whether stored scripts may be run.
  public static boolean runsStored() {
    return current().runsStored();
  }

  /// What the settings of the node allow.
  public static ScriptRules rules() {
    return current().rules();
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
}
