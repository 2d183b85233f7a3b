package dev.holdfast.query.clause.specialized;

import dev.holdfast.query.QueryContext;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;

/// A `more_like_this` before its words are chosen. They are chosen by how frequent they are in the
/// index that is searched, so that they differ where a highlighter looks at one document alone, and
/// visitors see none.
public final class MoreLikeThisQuery extends Query {
  private final QueryContext context;
  private final MoreLikeThisClause clause;
  private final List<String> fields;

  MoreLikeThisQuery(QueryContext context, MoreLikeThisClause clause, List<String> fields) {
    this.context = context;
    this.clause = clause;
    this.fields = List.copyOf(fields);
  }

  @Override
  public Query rewrite(IndexSearcher searcher) {
    return clause.words(context, fields, searcher.getIndexReader());
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return "like:" + clause.like();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MoreLikeThisQuery that
        && context.equals(that.context)
        && clause.equals(that.clause)
        && fields.equals(that.fields);
  }

  @Override
  public int hashCode() {
    return Objects.hash(MoreLikeThisQuery.class, clause, fields);
  }
}
