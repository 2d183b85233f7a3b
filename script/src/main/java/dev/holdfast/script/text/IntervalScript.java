package dev.holdfast.script.text;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;

/// Whether an interval counts: the `script` filter of `intervals`.
public abstract class IntervalScript extends Script {
  public static final Shape SHAPE =
      Shape.of("interval", IntervalScript.class, List.of("interval"), List.of("params"), List.of());

  /// Where in a field something lies, in positions.
  public interface Interval {
    int getStart();

    int getEnd();

    int getGaps();
  }

  protected IntervalScript(Map<String, Object> params) {
    super(params);
  }

  public abstract boolean execute(Interval interval);
}
