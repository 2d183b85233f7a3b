package dev.holdfast.world.text;

import dev.holdfast.world.Refusal;
import java.text.Normalizer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Regular expressions of users. `java.util.regex` calls itself for what lies inside of groups and
/// classes, for what follows in a long expression, and for each round of a repeated group: each of
/// them may come to the end of the stack. What it does between two looks at a character nobody can
/// stop: that is bounded here.
public final class RegularExpressions {
  /// How deep groups and classes may lie in one another: a few thousand come to the end of a stack
  /// of a megabyte, and nobody writes a hundred.
  public static final int DEPTH_MAX = 250;

  /// Steps that may be taken without looking at a character ([EmptyMatches]).
  private static final int EMPTY_STEPS_MAX = 1000;

  /// Marks upon one character that are put into every order for [Pattern#CANON_EQ]: twelve of them
  /// have 479 million, for all of which there must be room.
  private static final int MARKS_MAX = 6;

  private RegularExpressions() {}

  /// @param flags of [Pattern]
  /// @throws PatternSyntaxException when it is none, or one that is nested too deep or too long
  public static Pattern compile(String expression, int flags) {
    if ((flags & Pattern.LITERAL) == 0 && depth(expression) > DEPTH_MAX) {
      throw new PatternSyntaxException(
          "Groups and classes nest deeper than [" + DEPTH_MAX + "]", "", -1);
    }
    if ((flags & Pattern.CANON_EQ) != 0 && marks(expression) > MARKS_MAX) {
      throw new PatternSyntaxException(
          "More than [" + MARKS_MAX + "] marks upon one character", "", -1);
    }
    try {
      Pattern pattern = Pattern.compile(expression, flags);
      if ((flags & Pattern.LITERAL) == 0
          && EmptyMatches.steps(expression, flags) > EMPTY_STEPS_MAX) {
        throw new PatternSyntaxException(
            "Parts that may match nothing are repeated, or chosen from, more than ["
                + EMPTY_STEPS_MAX
                + "] times",
            "",
            -1);
      }
      return pattern;
    } catch (PatternSyntaxException e) {
      // The way in which too many parts in a row were noticed is nothing that a client can mend.
      throw e.getDescription().startsWith("Stack overflow")
          ? new PatternSyntaxException("The expression has too many parts", "", -1)
          : e;
    }
  }

  /// Matches an expression. How deep that goes is a matter of the text, and known to nobody before:
  /// what comes to the end of the stack is an error of who sent the text.
  ///
  /// @throws Refusal `illegal_argument_exception` (400) where the text is too long
  public static <T> T matching(Pattern pattern, Supplier<T> match) {
    try {
      return match.get();
    } catch (StackOverflowError tooLong) {
      throw Refusal.badArgument(
          "the text is too long for the expression ["
              + pattern
              + "]: a group of it is repeated too often");
    }
  }

  /// The longest row of marks of a text whose characters are taken apart.
  private static int marks(String expression) {
    int longest = 0;
    int row = 0;
    for (int c : Normalizer.normalize(expression, Normalizer.Form.NFD).codePoints().toArray()) {
      row = Character.getType(c) == Character.NON_SPACING_MARK ? row + 1 : 0;
      longest = Math.max(longest, row);
    }
    return longest;
  }

  /// How deep groups and classes lie in one another.
  static int depth(String expression) {
    int deepest = 0;
    int groups = 0;
    int classes = 0;
    for (int i = 0; i < expression.length(); i++) {
      switch (expression.charAt(i)) {
        case '\\' -> {
          boolean isQuote = expression.startsWith("Q", i + 1);
          int end = isQuote ? expression.indexOf("\\E", i) : i;
          i = end < 0 ? expression.length() : end + 1;
        }
        case '[' -> {
          classes++;
          // The first of a class that closes none.
          i += expression.startsWith("^]", i + 1) ? 2 : expression.startsWith("]", i + 1) ? 1 : 0;
        }
        case ']' -> classes = Math.max(0, classes - 1);
        case '(' -> groups += classes == 0 ? 1 : 0;
        case ')' -> groups -= classes == 0 && groups > 0 ? 1 : 0;
        default -> {}
      }
      deepest = Math.max(deepest, groups + classes);
    }
    return deepest;
  }
}
