package dev.holdfast.script.context;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.Map;

/// A number to sort by.
public abstract class NumberSortScript extends ScoredScript {
  public static final Shape SHAPE = shape("number_sort", NumberSortScript.class);

  protected NumberSortScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  public abstract double execute();
}
