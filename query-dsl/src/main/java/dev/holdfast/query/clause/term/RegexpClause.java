package dev.holdfast.query.clause.term;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.RegexpAutomata;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.RegExp;

/// Documents whose field holds a term that matches a regular expression of Lucene's syntax.
///
/// @param syntaxFlags [RegExp]'s optional operators
public record RegexpClause(
    String field,
    String value,
    int syntaxFlags,
    boolean isCaseInsensitive,
    int determinizedStatesMax,
    MultiTermQuery.RewriteMethod rewrite)
    implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.OneField of = body.oneField("value").named();
    JsonObject json = of.options().json();
    return of.options()
        .finish(
            new RegexpClause(
                of.field(),
                of.value("value").asText(),
                RegexpAutomata.flags(
                    json.stringOrNull("flags"),
                    json.integer("flags_value", RegexpAutomata.EVERYTHING)),
                json.bool("case_insensitive", false),
                json.integer("max_determinized_states", 10_000),
                Patterns.rewrite(json.stringOrNull("rewrite"))));
  }

  @Override
  public Query toLucene(QueryContext context) {
    checkLength(context, value, "Regexp Query");
    return Patterns.withTerms(
        context, "regexp", field, type -> query(context, Patterns.exact(type, value)));
  }

  /// @param where the words for the request that holds it
  public static void checkLength(QueryContext context, String regexp, String where) {
    int max = context.mapping().limits().regexpLengthMax();
    if (regexp.length() > max) {
      throw Refusal.badArgument(
          "The length of regex ["
              + regexp.length()
              + "] used in the "
              + where
              + " request has exceeded the allowed maximum of ["
              + max
              + "]. This maximum can be set by changing the [index.max_regex_length] index level"
              + " setting.");
    }
  }

  private Query query(QueryContext context, String pattern) {
    return RegexpAutomata.query(
        context,
        new Term(context.path(field), pattern),
        syntaxFlags,
        isCaseInsensitive ? RegExp.CASE_INSENSITIVE : 0,
        determinizedStatesMax,
        rewrite);
  }
}
