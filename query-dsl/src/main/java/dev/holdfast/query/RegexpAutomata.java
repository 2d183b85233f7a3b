package dev.holdfast.query;

import dev.holdfast.document.analysis.pattern.AutomatonPatterns;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import java.util.Locale;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/// Regular expressions whose automata fit the memory of the request. A short expression can mean
/// very many states: by nested repetitions before it is made deterministic, by alternatives after.
public final class RegexpAutomata {
  /// A state with its transitions, before it is made deterministic.
  private static final long STATE_BYTES = 64;

  /// A state of the tables that terms are matched with: a column for each class of bytes.
  private static final long TABLE_BYTES = 2048;

  /// States afterwards, whatever the request allows: what builds them can't be left, and takes time
  /// by the square of their number.
  private static final int DETERMINIZED_MAX = 50_000;

  /// Lucene's deprecated flag, by its value.
  private static final int COMPLEMENT = 0x10000;

  /// All optional operators: Lucene's own `ALL` leaves the complement out.
  public static final int EVERYTHING = RegExp.ALL | COMPLEMENT;

  private RegexpAutomata() {}

  /// The optional operators that a text names, `A|B`.
  ///
  /// @param names null or empty for none said
  /// @throws Refusal 400 for a name that there is not
  public static int flags(@Nullable String names, int whenAbsent) {
    if (names == null || names.isEmpty()) {
      return whenAbsent;
    }
    int flags = 0;
    for (String name : names.split("\\|", -1)) {
      flags |=
          switch (name.toUpperCase(Locale.ROOT)) {
            case "INTERSECTION" -> RegExp.INTERSECTION;
            case "COMPLEMENT" -> COMPLEMENT;
            case "EMPTY" -> RegExp.EMPTY;
            case "ANYSTRING" -> RegExp.ANYSTRING;
            case "INTERVAL" -> RegExp.INTERVAL;
            case "NONE" -> RegExp.NONE;
            case "ALL" -> EVERYTHING;
            default -> throw Refusal.badArgument("Unknown regexp flag [" + name + "]");
          };
    }
    return flags;
  }

  /// A query for terms that match.
  ///
  /// @param statesMax `max_determinized_states`; fewer when there is no memory for as many
  /// @throws Refusal 400 when the expression is none or too complex for `statesMax`, 429 when it is
  ///   too complex for the memory that is left
  public static RegexpQuery query(
      QueryContext context,
      Term term,
      int syntaxFlags,
      int matchFlags,
      int statesMax,
      MultiTermQuery.RewriteMethod rewrite) {
    Reservation memory = context.memory();
    int affordable = reserved(memory, term.text(), syntaxFlags, matchFlags, statesMax);
    try {
      RegexpQuery query =
          new RegexpQuery(
              term, syntaxFlags, matchFlags, RegexpQuery.DEFAULT_PROVIDER, affordable, rewrite);
      memory.add(query.ramBytesUsed());
      return query;
    } catch (TooComplexToDeterminizeException e) {
      throw tooComplex(memory, term.text(), affordable, statesMax, e);
    } catch (IllegalArgumentException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
    }
  }

  /// A deterministic automaton of the expression.
  ///
  /// @throws Refusal as of [#query]
  public static Automaton determinized(Reservation memory, String expression, int statesMax) {
    int affordable = reserved(memory, expression, RegExp.ALL, 0, statesMax);
    try {
      return Operations.determinize(new RegExp(expression).toAutomaton(), affordable);
    } catch (TooComplexToDeterminizeException e) {
      throw tooComplex(memory, expression, affordable, statesMax, e);
    } catch (IllegalArgumentException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
    }
  }

  /// For expressions that others make automata of: refuses those that would take too long.
  ///
  /// @return how many states they may have, at most `statesMax`
  /// @throws Refusal as of [#query]
  public static int affordable(
      Reservation memory, String expression, int syntaxFlags, int statesMax) {
    return reserved(memory, expression, syntaxFlags, 0, statesMax);
  }

  /// States of an automaton that is no regular expression, whatever the request allows.
  public static int affordable(int statesMax) {
    return Math.min(statesMax, DETERMINIZED_MAX);
  }

  /// Reserves what the expression takes before it is deterministic, and returns how many states
  /// there is memory for afterwards.
  private static int reserved(
      Reservation memory, String expression, int syntaxFlags, int matchFlags, int statesMax) {
    RegExp parsed = AutomatonPatterns.parse(expression, syntaxFlags, matchFlags);
    StopSignal.look();
    memory.add(bytes(AutomatonPatterns.states(parsed)));
    long affordable = Math.max(1, memory.left() / TABLE_BYTES);
    return (int) Math.min(Math.min(statesMax, DETERMINIZED_MAX), affordable);
  }

  private static long bytes(double states) {
    return (long) Math.min(Long.MAX_VALUE / 4.0, states * STATE_BYTES);
  }

  private static Refusal tooComplex(
      Reservation memory,
      String expression,
      int affordable,
      int statesMax,
      TooComplexToDeterminizeException e) {
    if (affordable < Math.min(statesMax, DETERMINIZED_MAX)) {
      // More states were allowed than there is memory for.
      memory.add((long) Math.min(statesMax, DETERMINIZED_MAX) * TABLE_BYTES);
    }
    return new Refusal(
        ErrorType.ILLEGAL_ARGUMENT,
        "Determinizing automaton for ["
            + expression
            + "] would require more than ["
            + affordable
            + "] states: make the expression simpler or raise [max_determinized_states]",
        e);
  }
}
