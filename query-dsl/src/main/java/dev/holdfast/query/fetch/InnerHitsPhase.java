package dev.holdfast.query.fetch;

import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.join.InnerHitsClause;
import dev.holdfast.query.clause.join.InnerHitsRequest;
import dev.holdfast.query.clause.vector.KnnClause;
import dev.holdfast.query.clause.vector.NestedKnnClause;
import dev.holdfast.query.collect.SegmentLoop;
import dev.holdfast.query.hits.TopHits;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.InnerHits;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.source.HitPlace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;

/// Fetches the hits inside hits.
final class InnerHitsPhase {
  private final QueryContext context;
  private final boolean withIds;
  private final List<InnerHitsClause> clauses = new ArrayList<>();

  /// @param outer says of all hits whether their ids are shown
  InnerHitsPhase(QueryContext context, SearchSource outer) {
    this.context = context;
    this.withIds = outer.storedFields().withId();
    collect(outer.query());
  }

  /// Clauses inside one that shows inner hits belong to those.
  private void collect(QueryClause given) {
    QueryClause clause =
        given instanceof NestedKnnClause nearest ? nearest.in(context.mapping()) : given;
    if (clause instanceof InnerHitsClause inner && inner.innerHits() != null) {
      clauses.add(inner);
      return;
    }
    clause.children().forEach(this::collect);
  }

  boolean isEmpty() {
    return clauses.isEmpty();
  }

  Map<String, InnerHits> of(HitPlace hit) throws IOException {
    Map<String, InnerHits> all = new LinkedHashMap<>();
    for (InnerHitsClause clause : clauses) {
      InnerHitsRequest request = clause.innerHits();
      if (request != null) {
        String name = request.name() == null ? clause.innerName() : request.name();
        all.put(name, hits(clause, request, hit));
      }
    }
    return all;
  }

  /// Of the objects of a hit all are shown, not only those among the nearest.
  private static QueryClause scored(QueryClause clause) {
    return clause instanceof KnnClause nearest ? nearest.scored() : clause;
  }

  private InnerHits hits(InnerHitsClause clause, InnerHitsRequest request, HitPlace hit)
      throws IOException {
    Query within = clause.within(context, hit);
    if (within == null) {
      return new InnerHits(0, true, Float.NaN, List.of());
    }
    SearchSource search = request.search(clause.query()).showingIds(withIds);
    String path = clause.nestedPath();
    QueryContext inside = path == null ? context : context.within(path);
    Query query =
        new BooleanQuery.Builder()
            .add(scored(clause.query()).toLucene(inside), Occur.MUST)
            .add(within, Occur.FILTER)
            .build();
    TopHits found =
        TopHits.of(search, inside, new SegmentLoop(inside, () -> false), query, null, null);
    List<ShardHit> page =
        found.hits().subList(Math.min(search.from(), found.hits().size()), found.hits().size());
    List<Hit> hits =
        path == null
            ? FetchPhase.run(search, context, page)
            : FetchPhase.nested(search, inside, page, path, hit);
    return new InnerHits(
        Math.max(0, found.total()),
        found.isTotalExact(),
        search.size() == 0 ? Float.NaN : found.maxScore(),
        hits);
  }
}
