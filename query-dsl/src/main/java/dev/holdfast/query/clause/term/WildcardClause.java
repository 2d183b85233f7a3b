package dev.holdfast.query.clause.term;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.RegexpAutomata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/// Documents whose field holds a term that matches a pattern of `*` and `?`.
public record WildcardClause(
    String field, String value, boolean isCaseInsensitive, MultiTermQuery.RewriteMethod rewrite)
    implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.OneField of = body.oneField("value").named();
    JsonObject json = of.options().json();
    String value = json.string("wildcard");
    if (value == null) {
      value = of.value("value").asText();
    }
    boolean caseInsensitive = json.bool("case_insensitive", false);
    MultiTermQuery.RewriteMethod rewrite = Patterns.rewrite(json.stringOrNull("rewrite"));
    return of.options().finish(new WildcardClause(of.field(), value, caseInsensitive, rewrite));
  }

  @Override
  public Query toLucene(QueryContext context) {
    return Patterns.withTerms(context, "wildcard", field, type -> query(context, type));
  }

  private Query query(QueryContext context, FieldType type) {
    if (isCaseInsensitive) {
      return RegexpAutomata.query(
          context,
          new Term(context.path(field), regexp()),
          RegExp.NONE,
          RegExp.CASE_INSENSITIVE,
          Operations.DEFAULT_DETERMINIZE_WORK_LIMIT,
          rewrite);
    }
    Term term = new Term(context.path(field), normalized(type));
    try {
      WildcardQuery query =
          new WildcardQuery(term, Operations.DEFAULT_DETERMINIZE_WORK_LIMIT, rewrite);
      context.memory().add(query.ramBytesUsed());
      return query;
    } catch (IllegalArgumentException | TooComplexToDeterminizeException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
    }
  }

  /// The pattern with what lies between its wildcards normalised.
  private String normalized(FieldType type) {
    StringBuilder pattern = new StringBuilder();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '*' || c == '?' || c == '\\') {
        pattern.append(text.isEmpty() ? "" : type.normalize(text.toString())).append(c);
        text.setLength(0);
        if (c == '\\' && i + 1 < value.length()) {
          pattern.append(value.charAt(++i));
        }
      } else {
        text.append(c);
      }
    }
    return pattern.append(text.isEmpty() ? "" : type.normalize(text.toString())).toString();
  }

  private String regexp() {
    StringBuilder regexp = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '*' -> regexp.append(".*");
        case '?' -> regexp.append('.');
        case '\\' -> {
          i++;
          Patterns.escape(i < value.length() ? value.charAt(i) : '\\', regexp);
        }
        default -> Patterns.escape(c, regexp);
      }
    }
    return regexp.toString();
  }
}
