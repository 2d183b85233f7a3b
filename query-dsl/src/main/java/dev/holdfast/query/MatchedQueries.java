package dev.holdfast.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;

/// Which of the queries with a name matched a hit.
final class MatchedQueries {
  private MatchedQueries() {}

  /// Names for each hit, in the order of the request.
  static List<List<String>> of(QueryClause query, QueryContext context, List<ShardHit> hits)
      throws IOException {
    List<WeighedClause> named = new ArrayList<>();
    collect(query, named);
    List<List<String>> matched = new ArrayList<>(hits.size());
    for (int i = 0; i < hits.size(); i++) {
      matched.add(new ArrayList<>());
    }
    for (WeighedClause clause : named) {
      Weight weight =
          QueryPhase.weight(
              context.searcher(), clause.toLucene(context), false, ScoreMode.COMPLETE);
      for (int i = 0; i < hits.size(); i++) {
        if (clause.name() != null && matches(context.searcher(), weight, hits.get(i).doc())) {
          matched.get(i).add(clause.name());
        }
      }
    }
    return matched;
  }

  private static void collect(QueryClause clause, List<WeighedClause> named) {
    if (clause instanceof WeighedClause weighed && weighed.name() != null) {
      named.add(weighed);
    }
    clause.children().forEach(child -> collect(child, named));
  }

  private static boolean matches(IndexSearcher searcher, Weight weight, int doc)
      throws IOException {
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
    Scorer scorer = weight.scorer(leaf);
    return scorer != null && scorer.iterator().advance(doc - leaf.docBase) == doc - leaf.docBase;
  }
}
