package dev.holdfast.script.parse;

/// A word of a script.
///
/// @param text as it stands, without quotes for a string; the pattern of a regular expression
/// @param at characters from the beginning
/// @param extra flags of a regular expression, empty else
public record Word(Kind kind, String text, int at, int end, String extra) {
  /// What a word is.
  public enum Kind {
    NAME,
    KEYWORD,
    INTEGER,
    DECIMAL,
    STRING,
    REGEX,
    SYMBOL,
    END
  }

  boolean is(String symbol) {
    return (kind == Kind.SYMBOL || kind == Kind.KEYWORD) && text.equals(symbol);
  }

  /// As errors show it.
  String shown() {
    return kind == Kind.END ? "<EOF>" : kind == Kind.STRING ? "'" + text + "'" : text;
  }
}
