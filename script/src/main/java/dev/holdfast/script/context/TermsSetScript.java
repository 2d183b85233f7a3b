package dev.holdfast.script.context;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How many terms a document must have: `terms_set`.
public abstract class TermsSetScript extends DocScript {
  public static final Shape SHAPE =
      Shape.of("terms_set", TermsSetScript.class, java.util.List.of(), VARIABLES, FUNCTIONS);

  protected TermsSetScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  public abstract @Nullable Number execute();
}
