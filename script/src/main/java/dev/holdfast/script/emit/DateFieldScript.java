package dev.holdfast.script.emit;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Emits instants, in milliseconds since the epoch.
public abstract class DateFieldScript extends EmitScript {
  public static final Shape SHAPE = shape("date_field", DateFieldScript.class, "parse");

  protected DateFieldScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  public final void emit(long value) {
    requireFew(size());
    add(value);
  }

  /// The milliseconds of a text in the formats of the field.
  public final long parse(@Nullable Object text) {
    return host().date(String.valueOf(text));
  }
}
