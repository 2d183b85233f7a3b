package dev.holdfast.query.clause.span;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.term.FieldQueries;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/// Where a term is.
public record SpanTermClause(String field, JsonNode value) implements SpanClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.OneField of = body.oneField("value").named();
    JsonNode term = of.options().take("term");
    JsonNode value = term == null ? of.value("value") : term;
    return of.options().finish(new SpanTermClause(of.field(), value));
  }

  @Override
  public SpanQuery toSpans(QueryContext context) {
    FieldType type = context.type(field);
    if (type == null) {
      return new SpanTermQuery(new Term(field, value.asText()));
    }
    FieldQueries.checkSearchable(field, type);
    String path = context.path(field);
    FieldQueries.checkPositions(context, path, "SpanTermQuery");
    Query query = type.termQuery(path, value, context.nowMillis());
    Query plain = query instanceof BoostQuery boosted ? boosted.getQuery() : query;
    return new SpanTermQuery(
        plain instanceof TermQuery exact ? exact.getTerm() : new Term(path, value.asText()));
  }
}
