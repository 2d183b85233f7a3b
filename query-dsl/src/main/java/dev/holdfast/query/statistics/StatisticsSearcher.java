package dev.holdfast.query.statistics;

import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;
import org.jspecify.annotations.Nullable;

/// A searcher of one shard that scores by the statistics of several.
public final class StatisticsSearcher extends IndexSearcher {
  private final GatheredStatistics all;

  private StatisticsSearcher(IndexSearcher of, GatheredStatistics all) {
    super(of.getIndexReader());
    this.all = all;
    setQueryCache(of.getQueryCache());
    setQueryCachingPolicy(of.getQueryCachingPolicy());
    setSimilarity(of.getSimilarity());
  }

  /// The searcher itself when there are no statistics of several shards.
  public static IndexSearcher over(IndexSearcher searcher, @Nullable GatheredStatistics all) {
    return all == null || all.isAsked() ? searcher : new StatisticsSearcher(searcher, all);
  }

  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    TermStatistics gathered = all.of(term);
    return gathered == null ? super.termStatistics(term, docFreq, totalTermFreq) : gathered;
  }

  @Override
  public @Nullable CollectionStatistics collectionStatistics(String field) throws IOException {
    CollectionStatistics gathered = all.of(field);
    return gathered == null ? super.collectionStatistics(field) : gathered;
  }
}
