package dev.holdfast.script.text;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;

/// What of a term's score no document changes: `weight_script` of a similarity.
public abstract class WeightScript extends Script {
  public static final Shape SHAPE =
      Shape.of(
          "similarity_weight",
          WeightScript.class,
          List.of("query", "field", "term"),
          List.of("params"),
          List.of());

  protected WeightScript(Map<String, Object> params) {
    super(params);
  }

  public abstract double execute(
      Similarity.Query query, Similarity.Field field, Similarity.Term term);
}
