package dev.holdfast.query.clause.span;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import java.util.List;
import org.apache.lucene.queries.spans.SpanContainingQuery;
import org.apache.lucene.queries.spans.SpanQuery;

/// Where a span holds another one.
public record SpanContainingClause(QueryClause big, QueryClause little) implements SpanClause {
  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    return of.finish(
        new SpanContainingClause(
            SpanClauses.read(of, "big", inner), SpanClauses.read(of, "little", inner)));
  }

  @Override
  public SpanQuery toSpans(QueryContext context) {
    return new SpanContainingQuery(
        SpanClauses.spans(big, context), SpanClauses.spans(little, context));
  }

  @Override
  public List<QueryClause> children() {
    return List.of(big, little);
  }
}
