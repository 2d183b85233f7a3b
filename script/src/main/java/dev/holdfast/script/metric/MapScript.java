package dev.holdfast.script.metric;

import dev.holdfast.script.context.ScoredScript;
import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Adds a document to the state of a bucket.
public abstract class MapScript extends ScoredScript {
  public static final Shape SHAPE = shape();

  private Map<String, Object> state = Map.of();

  protected MapScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  private static Shape shape() {
    List<String> variables = new ArrayList<>(VARIABLES);
    variables.add("_score=score");
    variables.add("state");
    return Shape.of("aggs_map", MapScript.class, List.of(), variables, FUNCTIONS);
  }

  /// Goes to a bucket.
  public final void of(Map<String, Object> given) {
    state = given;
  }

  public final Map<String, Object> getState() {
    return state;
  }

  public abstract void execute();
}
