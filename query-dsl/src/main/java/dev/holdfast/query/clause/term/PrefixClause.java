package dev.holdfast.query.clause.term;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;

/// Documents whose field holds a term that begins with a text.
public record PrefixClause(
    String field, String value, boolean isCaseInsensitive, MultiTermQuery.RewriteMethod rewrite)
    implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.OneField of = body.oneField("value").named();
    String value = of.value("value").asText();
    boolean caseInsensitive = of.options().json().bool("case_insensitive", false);
    MultiTermQuery.RewriteMethod rewrite =
        Patterns.rewrite(of.options().json().stringOrNull("rewrite"));
    return of.options().finish(new PrefixClause(of.field(), value, caseInsensitive, rewrite));
  }

  @Override
  public Query toLucene(QueryContext context) {
    if (isCaseInsensitive) {
      return Patterns.literal(context, "prefix", field, value, true, rewrite);
    }
    FieldType own = context.type(field);
    Query query = own == null ? null : own.prefixQuery(context.path(field), value, rewrite);
    if (query != null) {
      return query;
    }
    return Patterns.withTerms(
        context,
        "prefix",
        field,
        type ->
            new PrefixQuery(new Term(context.path(field), Patterns.exact(type, value)), rewrite));
  }
}
