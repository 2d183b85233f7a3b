package dev.holdfast.script.context;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A text to sort by.
public abstract class StringSortScript extends ScoredScript {
  public static final Shape SHAPE = shape("string_sort", StringSortScript.class);

  protected StringSortScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  public abstract @Nullable String execute();
}
