package dev.holdfast.script.emit;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.Map;

/// Emits booleans.
public abstract class BooleanFieldScript extends EmitScript {
  public static final Shape SHAPE = shape("boolean_field", BooleanFieldScript.class);

  protected BooleanFieldScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  public final void emit(boolean value) {
    requireFew(size());
    add(value ? 1 : 0);
  }
}
