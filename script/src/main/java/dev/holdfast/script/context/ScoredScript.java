package dev.holdfast.script.context;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A script that runs on documents which have a score, `_score`.
public abstract class ScoredScript extends DocScript {
  /// The score of the document that the script is at.
  public interface Score {
    float value() throws IOException;
  }

  private @Nullable Score score;

  protected ScoredScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  /// @param base with an `execute` of no arguments
  protected static Shape shape(String name, Class<?> base, String... functions) {
    List<String> variables = new ArrayList<>(VARIABLES);
    variables.add("_score=score");
    List<String> all = new ArrayList<>(FUNCTIONS);
    all.addAll(List.of(functions));
    return Shape.of(name, base, List.of(), variables, all);
  }

  public final void scoreBy(Score given) {
    score = given;
  }

  /// `_score`.
  public final double score() {
    try {
      return score == null ? 0 : score.value();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
