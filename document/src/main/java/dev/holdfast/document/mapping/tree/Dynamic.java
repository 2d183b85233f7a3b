package dev.holdfast.document.mapping.tree;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.Locale;

/// What happens to fields that the mapping lacks. `RUNTIME` makes them runtime fields, whose values
/// stay in the source.
public enum Dynamic {
  TRUE,
  FALSE,
  STRICT,
  RUNTIME;

  public static Dynamic of(String text) {
    for (Dynamic dynamic : values()) {
      if (dynamic.shown().equals(text.toLowerCase(Locale.ROOT))) {
        return dynamic;
      }
    }
    throw new Refusal(
        ErrorType.MAPPER_PARSING,
        "Could not convert [dynamic] to boolean: Failed to parse value ["
            + text
            + "] as only [true] or [false] are allowed.");
  }

  String shown() {
    return name().toLowerCase(Locale.ROOT);
  }
}
