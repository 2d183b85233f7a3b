package dev.holdfast.script.metric;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The answer, made of what came from the shards.
public abstract class ReduceScript extends Script {
  public static final Shape SHAPE =
      Shape.of(
          "aggs_reduce", ReduceScript.class, List.of(), List.of("params", "states"), List.of());

  private final List<@Nullable Object> states;

  protected ReduceScript(Map<String, Object> params, List<@Nullable Object> states) {
    super(params);
    this.states = states;
  }

  public final List<@Nullable Object> getStates() {
    return states;
  }

  public abstract @Nullable Object execute();
}
