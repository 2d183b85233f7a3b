package dev.holdfast.query.phase;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.ShardQueries;
import dev.holdfast.query.request.Rescore;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.statistics.GatheredStatistics;
import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// What a search would score by in one shard: the statistics that its queries ask for while they
/// are made ready.
public final class StatisticsPhase {
  private StatisticsPhase() {}

  /// The statistics of one shard, of the terms of the query and of those that rescore.
  public static GatheredStatistics of(SearchSource source, QueryContext context)
      throws IOException {
    Listening searcher = new Listening(context.searcher());
    prepare(searcher, context.overRoots(ShardQueries.made(source.query(), context)));
    for (Rescore rescore : source.extras().rescores()) {
      prepare(searcher, rescore.query().toLucene(context));
    }
    return searcher.heard;
  }

  private static void prepare(IndexSearcher searcher, Query query) throws IOException {
    Weight _ = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE, 1);
  }

  /// A searcher that remembers what it was asked for.
  private static final class Listening extends IndexSearcher {
    private final GatheredStatistics heard = GatheredStatistics.empty();

    Listening(IndexSearcher of) {
      super(of.getIndexReader());
      setQueryCache(null);
      setSimilarity(of.getSimilarity());
    }

    @Override
    public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
        throws IOException {
      TermStatistics own = super.termStatistics(term, docFreq, totalTermFreq);
      heard.note(own, term.field());
      return own;
    }

    @Override
    public @Nullable CollectionStatistics collectionStatistics(String field) throws IOException {
      CollectionStatistics own = super.collectionStatistics(field);
      if (own != null) {
        heard.note(own);
      }
      return own;
    }
  }
}
