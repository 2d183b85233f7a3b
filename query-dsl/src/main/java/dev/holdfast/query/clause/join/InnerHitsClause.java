package dev.holdfast.query.clause.join;

import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.source.HitPlace;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// A query over other documents than the hits, some of which can be shown inside each hit.
public interface InnerHitsClause extends QueryClause {
  @Nullable InnerHitsRequest innerHits();

  /// What the inner hits are called when the request does not say.
  String innerName();

  /// The query that inner hits match.
  QueryClause query();

  @Override
  default List<QueryClause> children() {
    return List.of(query());
  }

  /// Narrows the inner query to what belongs to one hit; null when nothing does.
  @Nullable Query within(QueryContext context, HitPlace hit) throws IOException;

  /// Path of the nested objects that inner hits are; null when they are documents.
  default @Nullable String nestedPath() {
    return null;
  }

  /// Refuses inner hits that the index does not show so many of.
  default void checkInnerHits(QueryContext context) {
    InnerHitsRequest asked = innerHits();
    if (asked != null) {
      asked.checkWindow(context, asked.name() == null ? innerName() : asked.name());
    }
  }
}
