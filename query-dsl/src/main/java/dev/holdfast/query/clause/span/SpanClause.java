package dev.holdfast.query.clause.span;

import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.search.Query;

/// A clause that knows where in a field it matches, so that it can be part of a span query.
interface SpanClause extends QueryClause {
  SpanQuery toSpans(QueryContext context);

  @Override
  default Query toLucene(QueryContext context) {
    return toSpans(context);
  }
}
