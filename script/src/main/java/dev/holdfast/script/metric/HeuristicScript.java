package dev.holdfast.script.metric;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;

/// How significant a term is: `script_heuristic`. The counts are members of `params`.
public abstract class HeuristicScript extends Script {
  public static final Shape SHAPE =
      Shape.of("script_heuristic", HeuristicScript.class, List.of(), List.of("params"), List.of());

  protected HeuristicScript(Map<String, Object> params) {
    super(params);
  }

  public abstract double execute();
}
