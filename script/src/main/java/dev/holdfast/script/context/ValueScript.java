package dev.holdfast.script.context;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The value of an aggregation: of the document, or made of each value of a field, `_value`.
public abstract class ValueScript extends ScoredScript {
  public static final Shape SHAPE = valueShape();

  private @Nullable Object value;

  protected ValueScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  private static Shape valueShape() {
    List<String> variables = new ArrayList<>(VARIABLES);
    variables.add("_score=score");
    variables.add("_value=value");
    return Shape.of("aggs", ValueScript.class, List.of(), variables, FUNCTIONS);
  }

  public final void of(@Nullable Object given) {
    value = given;
  }

  /// `_value`.
  public final @Nullable Object value() {
    return value;
  }

  public abstract @Nullable Object execute();
}
