package dev.holdfast.script.context;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A script that is tried out on nothing: `_scripts/painless/_execute`.
public abstract class TestScript extends Script {
  public static final Shape SHAPE =
      Shape.of("painless_test", TestScript.class, List.of(), List.of("params"), List.of());

  protected TestScript(Map<String, Object> params) {
    super(params);
  }

  public abstract @Nullable Object execute();
}
