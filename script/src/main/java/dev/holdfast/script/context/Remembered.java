package dev.holdfast.script.context;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/// What texts in the arguments of a function mean: they are mostly the same for each document. A
/// few of them are kept. Of one thread.
final class Remembered<T> {
  private static final int KEPT_MAX = 16;

  private final Function<String, T> reading;
  private final Map<String, T> known = new HashMap<>();

  Remembered(Function<String, T> reading) {
    this.reading = reading;
  }

  T of(String text) {
    T meaning = known.get(text);
    if (meaning == null) {
      meaning = reading.apply(text);
      if (known.size() == KEPT_MAX) {
        known.clear();
      }
      known.put(text, meaning);
    }
    return meaning;
  }
}
