package dev.holdfast.script.context;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.Map;

/// Whether a document matches: the `script` query.
public abstract class FilterScript extends DocScript {
  public static final Shape SHAPE =
      Shape.of("filter", FilterScript.class, java.util.List.of(), VARIABLES, FUNCTIONS);

  protected FilterScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  public abstract boolean execute();
}
