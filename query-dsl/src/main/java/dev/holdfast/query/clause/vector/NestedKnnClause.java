package dev.holdfast.query.clause.vector;

import dev.holdfast.document.Mapping;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.join.InnerHitsRequest;
import dev.holdfast.query.clause.join.NestedClause;
import java.util.List;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.join.ScoreMode;
import org.jspecify.annotations.Nullable;

/// An element of a search's `knn`. Where its vectors are those of nested objects, it finds the
/// documents that hold them, each scored by its nearest object.
///
/// @param innerHits shows the objects; only where they are nested
public record NestedKnnClause(KnnClause nearest, @Nullable InnerHitsRequest innerHits)
    implements QueryClause {

  /// The query that this means by a mapping.
  public QueryClause in(Mapping mapping) {
    String path = mapping.nestedScope(nearest.field());
    return path == null
        ? nearest
        : new NestedClause(path, nearest, ScoreMode.Max, false, innerHits);
  }

  @Override
  public Query toLucene(QueryContext context) {
    return in(context.mapping()).toLucene(context);
  }

  @Override
  public List<QueryClause> children() {
    return nearest.children();
  }
}
