package dev.holdfast.script.context;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A value made of a document: `script_fields`.
public abstract class FieldScript extends DocScript {
  public static final Shape SHAPE =
      Shape.of("field", FieldScript.class, java.util.List.of(), VARIABLES, FUNCTIONS);

  protected FieldScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  public abstract @Nullable Object execute();
}
