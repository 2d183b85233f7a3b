package dev.holdfast.script.context;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;

/// A value made of the values of buckets in a window, `values`.
public abstract class MovingFunctionScript extends Script {
  public static final Shape SHAPE =
      Shape.of(
          "moving-function",
          MovingFunctionScript.class,
          List.of("values"),
          List.of("params"),
          List.of());

  protected MovingFunctionScript(Map<String, Object> params) {
    super(params);
  }

  public abstract double execute(double[] values);
}
