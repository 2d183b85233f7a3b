package dev.holdfast.query.fetch;

import dev.holdfast.query.BoostedClause;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.collect.Weights;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// Which of the queries with a name matched a hit.
final class MatchedQueries {
  /// A name in the map of a hit.
  private static final long NAME_BYTES = 48;

  private MatchedQueries() {}

  /// Names for each hit, in the order of the request, with scores where asked for.
  static List<Map<String, @Nullable Float>> of(
      SearchSource source, QueryContext context, List<ShardHit> hits) throws IOException {
    List<BoostedClause> named = new ArrayList<>();
    collect(source.query(), named);
    QueryClause postFilter = source.postFilter();
    if (postFilter != null) {
      collect(postFilter, named);
    }
    source.extras().rescores().forEach(rescore -> collect(rescore.query(), named));
    boolean withScores = source.extras().withNamedScores();
    List<Map<String, @Nullable Float>> matched = new ArrayList<>(hits.size());
    for (int i = 0; i < hits.size(); i++) {
      matched.add(new LinkedHashMap<>());
    }
    for (BoostedClause clause : named) {
      Weight weight =
          Weights.of(context.searcher(), clause.toLucene(context), withScores, ScoreMode.COMPLETE);
      long names = 0;
      for (int i = 0; i < hits.size(); i++) {
        StopSignal.poll();
        Scorer scorer = scorer(context.searcher(), weight, hits.get(i).doc());
        if (clause.name() != null && scorer != null) {
          matched.get(i).put(clause.name(), withScores ? (Float) scorer.score() : null);
          names++;
        }
      }
      WorkMemory.add(NAME_BYTES * names);
    }
    return matched;
  }

  private static void collect(QueryClause clause, List<BoostedClause> named) {
    if (clause instanceof BoostedClause weighed && weighed.name() != null) {
      named.add(weighed);
    }
    clause.children().forEach(child -> collect(child, named));
  }

  /// At the document; null when it does not match.
  private static @Nullable Scorer scorer(IndexSearcher searcher, Weight weight, int doc)
      throws IOException {
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
    Scorer scorer = weight.scorer(leaf);
    return scorer != null && scorer.iterator().advance(doc - leaf.docBase) == doc - leaf.docBase
        ? scorer
        : null;
  }
}
