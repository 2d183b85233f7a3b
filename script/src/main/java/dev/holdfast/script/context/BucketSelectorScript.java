package dev.holdfast.script.context;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;

/// Whether a bucket is kept.
public abstract class BucketSelectorScript extends Script {
  public static final Shape SHAPE =
      Shape.of(
          "aggregation_selector",
          BucketSelectorScript.class,
          List.of(),
          List.of("params"),
          List.of());

  protected BucketSelectorScript(Map<String, Object> params) {
    super(params);
  }

  public abstract boolean execute();
}
