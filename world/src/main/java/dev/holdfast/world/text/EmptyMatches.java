package dev.holdfast.world.text;

import java.util.regex.Pattern;

/// How many steps `java.util.regex` may take through an expression without looking at a character:
/// who bounds what it looks at has no part in those. `(?:){99}` takes 99, and sixty times `(|)` in
/// a row are 2^60 ways to match nothing, all of which are tried where something behind them fails.
/// Expects an expression that compiles, and whose groups do not nest too deep.
final class EmptyMatches {
  /// What a part of an expression does without looking at a character.
  ///
  /// @param isEmpty whether it may match nothing
  /// @param ways in which it goes on to what follows, from the last character that it must have
  /// @param steps until it has tried them all
  private record Part(boolean isEmpty, double ways, double steps) {
    static final Part NOTHING = new Part(true, 1, 1);
    static final Part CHARACTER = new Part(false, 1, 1);

    Part before(Part next) {
      return new Part(
          isEmpty && next.isEmpty,
          next.isEmpty ? ways * next.ways : next.ways,
          Math.max(steps, ways * next.steps));
    }

    /// Who has to look at a character is stopped by who counts those.
    Part or(Part other) {
      boolean isSum = isEmpty && other.isEmpty;
      return new Part(
          isEmpty || other.isEmpty,
          isSum ? ways + other.ways : Math.max(ways, other.ways),
          isSum ? steps + other.steps : Math.max(steps, other.steps));
    }

    Part repeated(double least) {
      return isEmpty
          ? new Part(true, least == 0 ? ways + 1 : ways, steps * Math.max(1, least))
          : new Part(least == 0, ways, steps);
    }
  }

  private final String text;
  private int at;
  private boolean hasComments;

  private EmptyMatches(String text, boolean hasComments) {
    this.text = text;
    this.hasComments = hasComments;
  }

  /// @param flags of [Pattern]
  static double steps(String expression, int flags) {
    EmptyMatches reader = new EmptyMatches(expression, (flags & Pattern.COMMENTS) != 0);
    Part whole = reader.alternatives();
    // What is not read to its end is read wrongly.
    return reader.at < expression.length() ? Double.POSITIVE_INFINITY : whole.steps;
  }

  private Part alternatives() {
    Part all = sequence();
    while (takes("|")) {
      all = all.or(sequence());
    }
    return all;
  }

  private Part sequence() {
    Part whole = Part.NOTHING;
    skipBlanks();
    while (at < text.length() && text.charAt(at) != '|' && text.charAt(at) != ')') {
      whole = whole.before(repeated(atom()));
      skipBlanks();
    }
    return whole;
  }

  private boolean takes(String what) {
    boolean isIt = text.startsWith(what, at);
    at += isIt ? what.length() : 0;
    return isIt;
  }

  private char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
  }

  private void skipBlanks() {
    while (hasComments && at < text.length()) {
      if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else if (text.charAt(at) == '#') {
        at = behind("\n");
      } else {
        return;
      }
    }
  }

  private int behind(String end) {
    int found = text.indexOf(end, at);
    return found < 0 ? text.length() : found + end.length();
  }

  private Part repeated(Part part) {
    skipBlanks();
    double least;
    if (takes("?") || takes("*")) {
      least = 0;
    } else if (takes("+")) {
      least = 1;
    } else if (isTimes()) {
      least = times();
    } else {
      return part;
    }
    if (!takes("?")) {
      boolean _ = takes("+");
    }
    return part.repeated(least);
  }

  private boolean isTimes() {
    return peek(0) == '{' && Character.isDigit(peek(1));
  }

  private double times() {
    double least = 0;
    for (at++; Character.isDigit(peek(0)); at++) {
      least = least * 10 + Character.digit(peek(0), 10);
    }
    at = behind("}");
    return least;
  }

  private Part atom() {
    if (isTimes()) {
      // A second number of times is one of nothing.
      return Part.NOTHING;
    }
    char first = text.charAt(at++);
    return switch (first) {
      case '^', '$' -> Part.NOTHING;
      case '\\' -> escape();
      case '[' -> characters();
      case '(' -> group();
      default -> Part.CHARACTER;
    };
  }

  private Part escape() {
    char kind = peek(0);
    at++;
    switch (kind) {
      case 'Q' -> {
        int from = at;
        at = behind("\\E");
        return at - from > 2 ? Part.CHARACTER : Part.NOTHING;
      }
      case 'b', 'B', 'A', 'G', 'Z', 'z', 'E' -> {
        boolean _ = takes("{g}");
        return Part.NOTHING;
      }
      case 'k' -> {
        at = behind(">");
        return Part.NOTHING;
      }
      case 'c' -> {
        at++;
        return Part.CHARACTER;
      }
      case 'p', 'P', 'x', 'N' -> {
        if (peek(0) == '{') {
          at = behind("}");
        }
        return Part.CHARACTER;
      }
      default -> {
        return kind >= '1' && kind <= '9' ? Part.NOTHING : Part.CHARACTER;
      }
    }
  }

  /// A class, with those in it.
  private Part characters() {
    boolean _ = takes("^");
    boolean isFirst = true;
    skipBlanks();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == ']' && !isFirst) {
        break;
      }
      if (c == '[') {
        Part _ = characters();
      } else if (c == '\\' && peek(0) == 'Q') {
        at = behind("\\E");
      } else if (c == '\\') {
        at++;
      }
      isFirst = false;
      skipBlanks();
    }
    return Part.CHARACTER;
  }

  private Part group() {
    boolean hadComments = hasComments;
    if (peek(0) != '?') {
      return closed(hadComments);
    }
    if (takes("?=") || takes("?!") || takes("?<=") || takes("?<!")) {
      return new Part(true, 1, closed(hadComments).steps);
    }
    if (takes("?>")) {
      Part inner = closed(hadComments);
      return new Part(inner.isEmpty, 1, inner.steps);
    }
    if (takes("?<")) {
      at = behind(">");
      return closed(hadComments);
    }
    at++;
    boolean isOn = true;
    while (at < text.length() && text.charAt(at) != ':' && text.charAt(at) != ')') {
      char flag = text.charAt(at++);
      isOn &= flag != '-';
      hasComments = flag == 'x' ? isOn : hasComments;
    }
    // Flags alone hold to the end of the group around them.
    return takes(")") ? Part.NOTHING : closedBehindFlags(hadComments);
  }

  private Part closedBehindFlags(boolean hadComments) {
    at++;
    return closed(hadComments);
  }

  private Part closed(boolean hadComments) {
    Part inner = alternatives();
    at++;
    hasComments = hadComments;
    return inner;
  }
}
