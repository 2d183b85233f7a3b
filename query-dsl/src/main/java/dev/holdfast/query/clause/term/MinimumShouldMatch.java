package dev.holdfast.query.clause.term;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// How many optional clauses must match: `2`, `-1`, `75%`, `-25%`, or conditions on the number of
/// clauses, `2<75% 9<-3`.
public final class MinimumShouldMatch {
  private MinimumShouldMatch() {}

  /// Refuses what can't be read.
  public static void check(@Nullable String spec) {
    if (spec != null) {
      of(spec, 1);
    }
  }

  /// The query, with the number of its optional clauses that must match.
  public static Query apply(BooleanQuery query, @Nullable String spec) {
    if (spec == null) {
      return query;
    }
    int optional = 0;
    for (BooleanClause clause : query.clauses()) {
      optional += clause.occur() == Occur.SHOULD ? 1 : 0;
    }
    int minimum = of(spec, optional);
    if (minimum <= 0) {
      return query;
    }
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    query.clauses().forEach(builder::add);
    return builder.setMinimumNumberShouldMatch(minimum).build();
  }

  /// The number for that many optional clauses; never negative.
  static int of(String spec, int optional) {
    try {
      return Math.max(0, unchecked(spec.trim(), optional));
    } catch (NumberFormatException e) {
      throw new Refusal(
          ErrorType.NUMBER_FORMAT, "For input string: \"" + spec + "\" in minimum_should_match", e);
    }
  }

  private static int unchecked(String spec, int optional) {
    if (spec.indexOf('<') < 0) {
      return simple(spec, optional);
    }
    int result = optional;
    for (String condition : spec.replaceAll("\\s*<\\s*", "<").split("\\s+", -1)) {
      int less = condition.indexOf('<');
      if (less < 0) {
        throw new NumberFormatException(condition);
      }
      if (optional <= Integer.parseInt(condition.substring(0, less))) {
        return result;
      }
      result = simple(condition.substring(less + 1), optional);
    }
    return result;
  }

  private static int simple(String spec, int optional) {
    int number;
    if (spec.endsWith("%")) {
      int percent = Integer.parseInt(spec.substring(0, spec.length() - 1));
      number = (int) (optional * (long) percent / 100);
    } else {
      number = Integer.parseInt(spec);
    }
    boolean isNegative = spec.startsWith("-");
    return isNegative ? optional + number : number;
  }
}
