package dev.holdfast.script.context;

import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;

/// The `if` of an ingest processor.
public abstract class ConditionScript extends Script {
  public static final Shape PROCESSOR =
      Shape.of(
          "processor_conditional",
          ConditionScript.class,
          List.of(),
          List.of("params", "ctx"),
          List.of());

  private final Map<String, Object> ctx;

  protected ConditionScript(Map<String, Object> params, Map<String, Object> ctx) {
    super(params);
    this.ctx = ctx;
  }

  public final Map<String, Object> getCtx() {
    return ctx;
  }

  public abstract boolean execute();

  public static boolean holds(ScriptSource script, Map<String, Object> ctx) {
    return Scripts.instance(
            ConditionScript.class, Scripts.compiled(script, PROCESSOR), script.ownParams(), ctx)
        .execute();
  }
}
