package dev.holdfast.query.clause.span;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import java.util.List;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanWithinQuery;

/// Where a span lies inside another one.
public record SpanWithinClause(QueryClause big, QueryClause little) implements SpanClause {
  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    return of.finish(
        new SpanWithinClause(
            SpanClauses.read(of, "big", inner), SpanClauses.read(of, "little", inner)));
  }

  @Override
  public SpanQuery toSpans(QueryContext context) {
    return new SpanWithinQuery(SpanClauses.spans(big, context), SpanClauses.spans(little, context));
  }

  @Override
  public List<QueryClause> children() {
    return List.of(big, little);
  }
}
