package dev.holdfast.document.mapping;

import java.util.regex.Pattern;

/// Patterns with `*` for any text.
final class Wildcards {
  private Wildcards() {}

  static Pattern pattern(String text) {
    StringBuilder regex = new StringBuilder();
    int from = 0;
    for (int star = text.indexOf('*'); star >= 0; star = text.indexOf('*', from)) {
      regex.append(Pattern.quote(text.substring(from, star))).append(".*");
      from = star + 1;
    }
    return Pattern.compile(
        regex.append(Pattern.quote(text.substring(from))).toString(), Pattern.DOTALL);
  }
}
