package dev.holdfast.script.emit;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.Map;

/// Emits floating-point numbers.
public abstract class DoubleFieldScript extends EmitScript {
  public static final Shape SHAPE = shape("double_field", DoubleFieldScript.class);

  protected DoubleFieldScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  public final void emit(double value) {
    requireFew(size());
    add(Double.doubleToLongBits(value));
  }
}
