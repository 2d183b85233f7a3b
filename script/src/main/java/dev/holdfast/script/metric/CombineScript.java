package dev.holdfast.script.metric;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What of the state of a bucket leaves the shard.
public abstract class CombineScript extends Script {
  public static final Shape SHAPE =
      Shape.of(
          "aggs_combine", CombineScript.class, List.of(), List.of("params", "state"), List.of());

  private final Map<String, Object> state;

  protected CombineScript(Map<String, Object> params, Map<String, Object> state) {
    super(params);
    this.state = state;
  }

  public final Map<String, Object> getState() {
    return state;
  }

  public abstract @Nullable Object execute();
}
