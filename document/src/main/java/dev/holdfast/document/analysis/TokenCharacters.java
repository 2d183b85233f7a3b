package dev.holdfast.document.analysis;

import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/// Classes of characters by name: which belong to a token, which divide tokens.
final class TokenCharacters {
  private static final int PUNCTUATION =
      mask(
          Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION);
  private static final int SYMBOL =
      mask(
          Character.MATH_SYMBOL,
          Character.CURRENCY_SYMBOL,
          Character.MODIFIER_SYMBOL,
          Character.OTHER_SYMBOL);

  private TokenCharacters() {}

  /// The setting `token_chars`: every character when it is empty.
  static IntPredicate of(AnalysisParameters parameters) {
    List<String> names = parameters.list("token_chars");
    if (names.isEmpty()) {
      return _ -> true;
    }
    IntPredicate any = _ -> false;
    for (String name : names) {
      any =
          name.equals("custom")
              ? any.or(oneOf(parameters.requiredText("custom_token_chars")))
              : any.or(named(name));
    }
    return any;
  }

  /// Characters of any of the classes, or named by themselves.
  static IntPredicate anyOf(List<String> names) {
    IntPredicate any = _ -> false;
    for (String name : names) {
      any = any.or(characters(name));
    }
    return any;
  }

  private static IntPredicate characters(String name) {
    if (name.codePointCount(0, name.length()) == 1) {
      return oneOf(name);
    }
    if (name.startsWith("\\")) {
      return switch (name) {
        case "\\n" -> oneOf("\n");
        case "\\t" -> oneOf("\t");
        case "\\r" -> oneOf("\r");
        case "\\\\" -> oneOf("\\");
        default ->
            throw Refusal.badArgument("Invalid escape char in [" + name + "] for [char_group]");
      };
    }
    return named(name);
  }

  private static IntPredicate named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "letter" -> Character::isLetter;
      case "digit" -> Character::isDigit;
      case "whitespace" -> Character::isWhitespace;
      case "punctuation" -> codePoint -> (PUNCTUATION >> Character.getType(codePoint) & 1) != 0;
      case "symbol" -> codePoint -> (SYMBOL >> Character.getType(codePoint) & 1) != 0;
      default ->
          throw Refusal.badArgument(
              "Unknown token type: '"
                  + name
                  + "', must be one of [letter, digit, whitespace, punctuation, symbol, custom]");
    };
  }

  private static IntPredicate oneOf(String characters) {
    return codePoint -> characters.indexOf(codePoint) >= 0;
  }

  private static int mask(int... types) {
    int mask = 0;
    for (int type : types) {
      mask |= 1 << type;
    }
    return mask;
  }
}
