package dev.holdfast.query.clause.span;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.queries.spans.SpanFirstQuery;
import org.apache.lucene.queries.spans.SpanQuery;

/// Where a span ends within the first words of a field.
public record SpanFirstClause(QueryClause match, int end) implements SpanClause {
  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    QueryClause match = SpanClauses.read(of, "match", inner);
    int end = SpanClauses.words(of.json(), "end", null);
    if (end < 0) {
      throw Refusal.badArgument("parameter [end] needs to be positive.");
    }
    return of.finish(new SpanFirstClause(match, end));
  }

  @Override
  public SpanQuery toSpans(QueryContext context) {
    return new SpanFirstQuery(SpanClauses.spans(match, context), end);
  }

  @Override
  public List<QueryClause> children() {
    return List.of(match);
  }
}
