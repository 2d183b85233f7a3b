package dev.holdfast.query;

import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;

/// Every document, with the same score.
public record MatchAllClause() implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    return body.options().finish(new MatchAllClause());
  }

  @Override
  public Query toLucene(QueryContext context) {
    return MatchAllDocsQuery.INSTANCE;
  }
}
