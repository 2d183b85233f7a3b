package dev.holdfast.script.context;

import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;

/// Changes a document through `ctx`: `_update`, `_update_by_query`, `_reindex`, and the `script`
/// processor.
public abstract class UpdateScript extends Script {
  public static final Shape UPDATE = shape("update");
  public static final Shape UPDATE_BY_QUERY = shape("update_by_query");
  public static final Shape REINDEX = shape("reindex");
  public static final Shape INGEST = shape("ingest");

  private final Map<String, Object> ctx;

  protected UpdateScript(Map<String, Object> params, Map<String, Object> ctx) {
    super(params);
    this.ctx = ctx;
  }

  public final Map<String, Object> getCtx() {
    return ctx;
  }

  public abstract void execute();

  private static Shape shape(String name) {
    return Shape.of(name, UpdateScript.class, List.of(), List.of("params", "ctx"), List.of());
  }

  /// Runs a script once on a document.
  public static void run(ScriptSource script, Shape shape, Map<String, Object> ctx) {
    Scripts.instance(UpdateScript.class, Scripts.compiled(script, shape), script.ownParams(), ctx)
        .execute();
  }
}
