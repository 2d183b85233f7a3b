package dev.holdfast.document.analysis.pattern;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.RegularExpressions;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/// Regular expressions of Lucene's own kind, which become automata: a short one may mean very many
/// states, by repetitions in repetitions, and Lucene calls itself for each part of a long one.
public final class AutomatonPatterns {
  /// States before it is made deterministic: what builds them can't be left, and takes time by the
  /// square of their number.
  private static final int STATES_MAX = 16_384;

  /// Parts that are one in the other, each a call on the stack.
  private static final int PARTS_MAX = 3_000;

  private AutomatonPatterns() {}

  /// @param syntaxFlags of [RegExp]
  /// @param matchFlags of [RegExp]
  /// @throws Refusal `illegal_argument_exception` when it is none, or has too many states or parts
  public static RegExp parse(String expression, int syntaxFlags, int matchFlags) {
    requireFlat(expression);
    RegExp parsed;
    try {
      parsed = new RegExp(expression, syntaxFlags, matchFlags);
    } catch (IllegalArgumentException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
    }
    requireFlat(parsed);
    if (states(parsed) > STATES_MAX) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "the automaton for ["
              + expression
              + "] would require more than ["
              + STATES_MAX
              + "] states before it is determinized: make the expression simpler");
    }
    return parsed;
  }

  /// Its deterministic automaton, with the states that Lucene allows by default.
  ///
  /// @throws Refusal as of [#parse], and when it would have more
  public static Automaton determinized(String expression) {
    RegExp parsed = parse(expression, RegExp.ALL, 0);
    try {
      return Operations.determinize(
          parsed.toAutomaton(), Operations.DEFAULT_DETERMINIZE_WORK_LIMIT);
    } catch (TooComplexToDeterminizeException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "Determinizing automaton for ["
              + expression
              + "] would require more than ["
              + Operations.DEFAULT_DETERMINIZE_WORK_LIMIT
              + "] effort: make the expression simpler",
          e);
    }
  }

  /// Refuses what Lucene would call itself for too often, before it does: groups in groups, when it
  /// reads them.
  private static void requireFlat(String expression) {
    int open = 0;
    for (int i = 0; i < expression.length() && open <= RegularExpressions.DEPTH_MAX; i++) {
      switch (expression.charAt(i)) {
        case '\\' -> i++;
        case '[' -> i = endOf(expression, i, ']');
        case '"' -> i = endOf(expression, i, '"');
        case '(' -> open++;
        case ')' -> open--;
        default -> {}
      }
    }
    if (open > RegularExpressions.DEPTH_MAX) {
      throw Refusal.badArgument(
          "groups of a regular expression nest deeper than ["
              + RegularExpressions.DEPTH_MAX
              + "]: make the expression simpler");
    }
  }

  /// Where a class or a string ends that begins at a place.
  private static int endOf(String expression, int begin, char end) {
    for (int i = begin + 1; i < expression.length(); i++) {
      char at = expression.charAt(i);
      if (at == end) {
        return i;
      }
      i += at == '\\' && end == ']' ? 1 : 0;
    }
    return expression.length();
  }

  /// The same of parts in a row, which are one in the other when it makes automata of them.
  private static void requireFlat(RegExp parsed) {
    List<RegExp> level = List.of(parsed);
    for (int depth = 0; !level.isEmpty(); depth++) {
      if (depth > PARTS_MAX) {
        throw Refusal.badArgument(
            "a regular expression has more than ["
                + PARTS_MAX
                + "] parts: make the expression simpler");
      }
      List<RegExp> next = new ArrayList<>();
      for (RegExp one : level) {
        for (RegExp part : new RegExp[] {one.exp1, one.exp2}) {
          if (part != null) {
            next.add(part);
          }
        }
      }
      level = next;
    }
  }

  /// States before determinization, about.
  public static double states(RegExp of) {
    return switch (of.kind) {
      case REGEXP_UNION, REGEXP_CONCATENATION -> states(of.exp1) + states(of.exp2) + 2;
      case REGEXP_INTERSECTION -> states(of.exp1) * states(of.exp2);
      case REGEXP_OPTIONAL, REGEXP_REPEAT, REGEXP_COMPLEMENT, REGEXP_DEPRECATED_COMPLEMENT ->
          states(of.exp1) + 1;
      case REGEXP_REPEAT_MIN -> states(of.exp1) * (of.min + 1.0);
      case REGEXP_REPEAT_MINMAX -> states(of.exp1) * (of.max + 1.0);
      case REGEXP_STRING -> of.s.length() + 1;
      case REGEXP_CHAR_CLASS -> of.from.length + 1;
      case REGEXP_INTERVAL -> 10.0 * Integer.toString(of.max).length() * Math.max(1, of.digits);
      default -> 2;
    };
  }
}
