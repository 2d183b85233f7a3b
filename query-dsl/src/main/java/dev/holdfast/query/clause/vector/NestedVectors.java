package dev.holdfast.query.clause.vector;

import dev.holdfast.document.NestedDocuments;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.join.NestedClause;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.search.join.DiversifyingChildrenByteKnnVectorQuery;
import org.apache.lucene.search.join.DiversifyingChildrenFloatKnnVectorQuery;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.search.join.ToChildBlockJoinQuery;
import org.jspecify.annotations.Nullable;

/// The nearest among the vectors of nested objects: of each document only its best object, so that
/// as many documents as asked for are found.
final class NestedVectors {
  private NestedVectors() {}

  static BitSetProducer holders(QueryContext context, String path) {
    return new QueryBitSetProducer(NestedDocuments.of(context.mapping().nestedScope(path)));
  }

  /// What objects must match: a filter that names a field of theirs is about them, any other about
  /// what holds them. Null when there is none.
  static @Nullable Query filter(List<QueryClause> filter, QueryContext context, String path) {
    if (filter.isEmpty()) {
      return null;
    }
    String outer = context.mapping().nestedScope(path);
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    all.add(NestedDocuments.of(path), Occur.FILTER);
    BooleanQuery.Builder ofHolders = new BooleanQuery.Builder();
    boolean isAboutHolders = false;
    for (QueryClause one : filter) {
      Query ofObjects = hasNested(one) ? null : one.toLucene(context.within(path));
      if (ofObjects != null && names(ofObjects, path + ".")) {
        all.add(ofObjects, Occur.FILTER);
      } else {
        ofHolders.add(one.toLucene(context.within(outer)), Occur.FILTER);
        isAboutHolders = true;
      }
    }
    if (isAboutHolders) {
      ofHolders.add(NestedDocuments.of(outer), Occur.FILTER);
      all.add(new ToChildBlockJoinQuery(ofHolders.build(), holders(context, path)), Occur.FILTER);
    }
    return all.build();
  }

  private static boolean hasNested(QueryClause clause) {
    return clause instanceof NestedClause
        || clause.children().stream().anyMatch(NestedVectors::hasNested);
  }

  private static boolean names(Query query, String prefix) {
    AtomicBoolean isFound = new AtomicBoolean();
    query.visit(
        new QueryVisitor() {
          @Override
          public boolean acceptField(String field) {
            isFound.compareAndSet(false, field.startsWith(prefix));
            return true;
          }

          @Override
          public QueryVisitor getSubVisitor(Occur occur, Query parent) {
            return this;
          }
        });
    return isFound.get();
  }

  /// Lucene's search among floats, of which only the nearest of all segments are kept.
  static final class Floats extends DiversifyingChildrenFloatKnnVectorQuery {
    private final int nearest;

    Floats(
        String field,
        float[] vector,
        @Nullable Query filter,
        int candidates,
        int nearest,
        BitSetProducer holders) {
      super(field, vector, filter, candidates, holders);
      this.nearest = nearest;
    }

    @Override
    protected TopDocs mergeLeafResults(TopDocs[] perSegment) {
      return TopDocs.merge(nearest, perSegment);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return super.equals(other) && other instanceof Floats floats && floats.nearest == nearest;
    }

    @Override
    public int hashCode() {
      return 31 * super.hashCode() + nearest;
    }
  }

  /// The same among bytes.
  static final class Bytes extends DiversifyingChildrenByteKnnVectorQuery {
    private final int nearest;

    Bytes(
        String field,
        byte[] vector,
        @Nullable Query filter,
        int candidates,
        int nearest,
        BitSetProducer holders) {
      super(field, vector, filter, candidates, holders);
      this.nearest = nearest;
    }

    @Override
    protected TopDocs mergeLeafResults(TopDocs[] perSegment) {
      return TopDocs.merge(nearest, perSegment);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return super.equals(other) && other instanceof Bytes bytes && bytes.nearest == nearest;
    }

    @Override
    public int hashCode() {
      return 31 * super.hashCode() + nearest;
    }
  }
}
