package dev.holdfast.script.parse;

import dev.holdfast.script.parse.Word.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Cuts a script into words. A `/` begins a regular expression where a value may begin, and divides
/// where one has ended.
final class Lexer {
  private static final Set<String> KEYWORDS =
      Set.of(
          "if",
          "else",
          "while",
          "do",
          "for",
          "in",
          "continue",
          "break",
          "return",
          "new",
          "try",
          "catch",
          "throw",
          "this",
          "instanceof",
          "true",
          "false",
          "null");

  /// Longest first.
  private static final List<String> SYMBOLS =
      List.of(
          ">>>=", "==~", "===", "!==", ">>>", "<<=", ">>=", "=~", "==", "!=", "<=", ">=", "<<",
          ">>", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "->", "::",
          "?.", "?:", "{", "}", "[", "]", "(", ")", ".", ",", ";", "!", "~", "*", "/", "%", "+",
          "-", "<", ">", "&", "^", "|", "?", ":", "=");

  private final String source;
  private final List<Word> tokens = new ArrayList<>();
  private int at;

  private Lexer(String source) {
    this.source = source;
  }

  /// @return the words, `END` last
  /// @throws SyntaxFault for a character that begins no word
  static List<Word> tokens(String source) {
    Lexer lexer = new Lexer(source);
    while (lexer.skipsBlanks()) {
      lexer.next();
    }
    lexer.add(Kind.END, "", source.length(), source.length(), "");
    return lexer.tokens;
  }

  private void add(Kind kind, String text, int from, int to, String extra) {
    tokens.add(new Word(kind, text, from, to, extra));
  }

  private char peek(int ahead) {
    return at + ahead < source.length() ? source.charAt(at + ahead) : 0;
  }

  private boolean skipsBlanks() {
    while (at < source.length()) {
      char c = source.charAt(at);
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        at++;
      } else if (c == '/' && peek(1) == '/') {
        while (at < source.length() && source.charAt(at) != '\n' && source.charAt(at) != '\r') {
          at++;
        }
      } else if (c == '/' && peek(1) == '*') {
        int close = source.indexOf("*/", at + 2);
        if (close < 0) {
          throw new SyntaxFault(at, "unexpected character [/*].");
        }
        at = close + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  private static boolean begins(char c) {
    return c == '_' || c == '$' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private void next() {
    char c = source.charAt(at);
    int from = at;
    if (begins(c)) {
      while (at < source.length() && (begins(source.charAt(at)) || isDigit(source.charAt(at)))) {
        at++;
      }
      String word = source.substring(from, at);
      boolean isMember = isAfterDot();
      add(!isMember && KEYWORDS.contains(word) ? Kind.KEYWORD : Kind.NAME, word, from, at, "");
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)) && !endsValue() && !isAfterDot())) {
      number();
    } else if (c == '\'' || c == '"') {
      string(c);
    } else if (c == '/' && !endsValue() && regex()) {
      return;
    } else {
      symbol();
    }
  }

  private boolean isAfterDot() {
    return !tokens.isEmpty() && (tokens.getLast().is(".") || tokens.getLast().is("?."));
  }

  /// Whether what was read last can end a value.
  private boolean endsValue() {
    if (tokens.isEmpty()) {
      return false;
    }
    Word last = tokens.getLast();
    return switch (last.kind()) {
      case NAME, INTEGER, DECIMAL, STRING, REGEX -> true;
      case KEYWORD -> Set.of("this", "true", "false", "null").contains(last.text());
      case SYMBOL -> last.is(")") || last.is("]") || last.is("}");
      case END -> false;
    };
  }

  private void number() {
    int from = at;
    boolean isMember = isAfterDot();
    if (!isMember && source.charAt(at) == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      at += 2;
      while (at < source.length() && Character.digit(source.charAt(at), 16) >= 0) {
        at++;
      }
      suffix("lL");
      add(Kind.INTEGER, source.substring(from, at), from, at, "");
      return;
    }
    boolean isDecimal = false;
    digits();
    if (!isMember && peek(0) == '.' && isDigit(peek(1))) {
      isDecimal = true;
      at++;
      digits();
    }
    if (!isMember && (peek(0) == 'e' || peek(0) == 'E')) {
      int sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
      if (isDigit(peek(sign))) {
        isDecimal = true;
        at += sign;
        digits();
      }
    }
    if (!isMember) {
      isDecimal |= suffix("fFdD");
      if (!isDecimal) {
        suffix("lL");
      }
    }
    add(isDecimal ? Kind.DECIMAL : Kind.INTEGER, source.substring(from, at), from, at, "");
  }

  private void digits() {
    while (isDigit(peek(0))) {
      at++;
    }
  }

  private boolean suffix(String of) {
    boolean isThere = peek(0) != 0 && of.indexOf(peek(0)) >= 0;
    if (isThere) {
      at++;
    }
    return isThere;
  }

  private void string(char quote) {
    int from = at++;
    StringBuilder text = new StringBuilder();
    while (at < source.length() && source.charAt(at) != quote) {
      char c = source.charAt(at);
      if (c == '\\') {
        char escaped = peek(1);
        switch (escaped) {
          case '\\', '\'', '"' -> text.append(escaped);
          case 'n' -> text.append('\n');
          case 't' -> text.append('\t');
          case 'r' -> text.append('\r');
          default ->
              throw new SyntaxFault(
                  from,
                  "unexpected character ["
                      + source.substring(from, Math.min(at + 2, source.length()))
                      + "]. The only valid escape sequences in strings starting with ["
                      + quote
                      + "] are [\\\\] and [\\"
                      + quote
                      + "].");
        }
        at += 2;
      } else {
        text.append(c);
        at++;
      }
    }
    if (at >= source.length()) {
      throw new SyntaxFault(from, "unexpected character [" + source.substring(from) + "].");
    }
    at++;
    add(Kind.STRING, text.toString(), from, at, "");
  }

  /// Reads a regular expression, which ends in its line; leaves a division where it does not.
  private boolean regex() {
    int i = at + 1;
    while (i < source.length() && source.charAt(i) != '/' && source.charAt(i) != '\n') {
      i += source.charAt(i) == '\\' ? 2 : 1;
    }
    if (i >= source.length() || source.charAt(i) != '/' || i == at + 1) {
      return false;
    }
    int flags = i + 1;
    while (flags < source.length() && "cilmsUux".indexOf(source.charAt(flags)) >= 0) {
      flags++;
    }
    add(Kind.REGEX, source.substring(at + 1, i), at, flags, source.substring(i + 1, flags));
    at = flags;
    return true;
  }

  private void symbol() {
    for (String symbol : SYMBOLS) {
      if (source.startsWith(symbol, at)) {
        add(Kind.SYMBOL, symbol, at, at + symbol.length(), "");
        at += symbol.length();
        return;
      }
    }
    throw new SyntaxFault(at, "unexpected character [" + source.charAt(at) + "].");
  }
}
