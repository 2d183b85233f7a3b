package dev.holdfast.script.emit;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.Map;

/// Emits whole numbers.
public abstract class LongFieldScript extends EmitScript {
  public static final Shape SHAPE = shape("long_field", LongFieldScript.class);

  protected LongFieldScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  public final void emit(long value) {
    requireFew(size());
    add(value);
  }
}
