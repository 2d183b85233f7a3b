package dev.holdfast.script.text;

import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;

/// Whether a token is filtered: `condition` and `predicate_token_filter`.
public abstract class TokenScript extends Script {
  public static final Shape SHAPE =
      Shape.of("analysis", TokenScript.class, List.of("token"), List.of("params"), List.of());

  /// The token that an analysis is at.
  public interface Token {
    CharSequence getTerm();

    /// Counted from 0.
    int getPosition();

    int getPositionIncrement();

    int getPositionLength();

    int getStartOffset();

    int getEndOffset();

    String getType();

    boolean isKeyword();
  }

  protected TokenScript(Map<String, Object> params) {
    super(params);
  }

  public abstract boolean execute(Token token);

  /// One for a stream of tokens.
  public static TokenScript of(ScriptSource script) {
    return Scripts.instance(TokenScript.class, Scripts.compiled(script, SHAPE), script.ownParams());
  }
}
