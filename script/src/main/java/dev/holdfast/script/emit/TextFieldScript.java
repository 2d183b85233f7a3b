package dev.holdfast.script.emit;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Emits texts: terms, or addresses.
public abstract class TextFieldScript extends EmitScript {
  public static final Shape KEYWORD = shape("keyword_field", TextFieldScript.class);
  public static final Shape IP = shape("ip_field", TextFieldScript.class);

  /// Of a document.
  private static final long CHARACTERS_MAX = 1 << 20;

  private final List<String> texts = new ArrayList<>();
  private long characters;

  protected TextFieldScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  @Override
  final void clear() {
    texts.clear();
    characters = 0;
  }

  public final void emit(@Nullable String value) {
    if (value == null) {
      return;
    }
    requireFew(texts.size());
    characters += value.length();
    if (characters > CHARACTERS_MAX) {
      throw new IllegalArgumentException(
          "Runtime field ["
              + host().field()
              + "] is emitting ["
              + characters
              + "] characters while the maximum number of values allowed is ["
              + CHARACTERS_MAX
              + "]");
    }
    texts.add(value);
  }

  public final List<String> texts() {
    return Collections.unmodifiableList(texts);
  }
}
