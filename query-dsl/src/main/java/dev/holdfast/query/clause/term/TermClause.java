package dev.holdfast.query.clause.term;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import org.apache.lucene.search.Query;

/// Documents with exactly this value.
public record TermClause(String field, JsonNode value, boolean isCaseInsensitive)
    implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.OneField of = body.oneField("value").named();
    JsonNode value = of.value("value");
    boolean caseInsensitive = of.options().json().bool("case_insensitive", false);
    return of.options().finish(new TermClause(of.field(), value, caseInsensitive));
  }

  @Override
  public Query toLucene(QueryContext context) {
    return isCaseInsensitive
        ? Patterns.literal(context, "term", field, value.asText(), false, Patterns.rewrite(null))
        : FieldQueries.term(context, field, value);
  }
}
