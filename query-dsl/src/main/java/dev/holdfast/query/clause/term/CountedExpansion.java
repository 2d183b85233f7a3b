package dev.holdfast.query.clause.term;

import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;

/// A way of rewriting that asks for the memory of the terms it finds. Clauses are counted when a
/// query is rewritten as a whole: until then a text of three thousand fuzzy words is a million
/// terms, each with its places in every segment.
public final class CountedExpansion extends MultiTermQuery.RewriteMethod {
  /// A term, as it is found and as the query and the clause that it becomes.
  private static final int TERM_BYTES = 300;

  /// Where it is in a segment.
  private static final int PLACE_BYTES = 88;

  private final MultiTermQuery.RewriteMethod method;

  public CountedExpansion(MultiTermQuery.RewriteMethod method) {
    this.method = method;
  }

  /// What does it.
  public MultiTermQuery.RewriteMethod method() {
    return method;
  }

  @Override
  public Query rewrite(IndexSearcher searcher, MultiTermQuery query) throws IOException {
    StopSignal.lookForCancelling();
    Query made = method.rewrite(searcher, query);
    Terms terms = new Terms();
    made.visit(terms);
    WorkMemory.add(bytes(terms.count, searcher));
    return made;
  }

  /// What so many terms take of which each may be in every segment, in bytes.
  public static long bytes(long terms, IndexSearcher searcher) {
    return terms * (TERM_BYTES + (long) PLACE_BYTES * searcher.getLeafContexts().size());
  }

  private static final class Terms extends QueryVisitor {
    private long count;

    @Override
    public void consumeTerms(Query query, Term... terms) {
      count += terms.length;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CountedExpansion that && method.equals(that.method);
  }

  @Override
  public int hashCode() {
    return 31 * method.hashCode();
  }
}
