package dev.holdfast.script.metric;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;

/// Makes the state of a bucket on a shard.
public abstract class InitScript extends Script {
  public static final Shape SHAPE =
      Shape.of("aggs_init", InitScript.class, List.of(), List.of("params", "state"), List.of());

  private final Map<String, Object> state;

  protected InitScript(Map<String, Object> params, Map<String, Object> state) {
    super(params);
    this.state = state;
  }

  public final Map<String, Object> getState() {
    return state;
  }

  public abstract void execute();
}
