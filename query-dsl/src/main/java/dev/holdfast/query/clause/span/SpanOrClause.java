package dev.holdfast.query.clause.span;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import java.util.List;
import org.apache.lucene.queries.spans.SpanOrQuery;
import org.apache.lucene.queries.spans.SpanQuery;

/// Where any of several spans is.
public record SpanOrClause(List<QueryClause> clauses) implements SpanClause {
  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    return of.finish(new SpanOrClause(SpanClauses.readAll(of, "clauses", inner)));
  }

  @Override
  public SpanQuery toSpans(QueryContext context) {
    return new SpanOrQuery(SpanClauses.spans(clauses, context));
  }

  @Override
  public List<QueryClause> children() {
    return clauses;
  }
}
