package dev.holdfast.query;

import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/// No document.
public record MatchNoneClause() implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    return body.options().finish(new MatchNoneClause());
  }

  @Override
  public Query toLucene(QueryContext context) {
    return new MatchNoDocsQuery("match_none");
  }
}
