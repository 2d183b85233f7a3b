package dev.holdfast.script.text;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;

/// The score of a term in a document: `script` of a similarity.
public abstract class SimilarityScript extends Script {
  public static final Shape SHAPE =
      Shape.of(
          "similarity",
          SimilarityScript.class,
          List.of("weight", "query", "field", "term", "doc"),
          List.of("params"),
          List.of());

  protected SimilarityScript(Map<String, Object> params) {
    super(params);
  }

  public abstract double execute(
      double weight,
      Similarity.Query query,
      Similarity.Field field,
      Similarity.Term term,
      Similarity.Doc doc);
}
