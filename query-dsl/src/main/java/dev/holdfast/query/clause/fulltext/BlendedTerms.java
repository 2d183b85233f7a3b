package dev.holdfast.query.clause.fulltext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.IOSupplier;
import org.jspecify.annotations.Nullable;

/// One word in several fields that count as one: each scores as if the word were as frequent as
/// where it is most frequent, and a little less the rarer it is, so that ties break for the field
/// that tells more. Lucene's own blending gives all fields the same frequency; Elasticsearch's does
/// not.
final class BlendedTerms {
  private final IndexSearcher searcher;
  private final float tieBreaker;

  BlendedTerms(IndexSearcher searcher, float tieBreaker) {
    this.searcher = searcher;
    this.tieBreaker = tieBreaker;
  }

  /// A word in one field.
  record Weighted(Term term, float boost) {}

  private record Counted(Weighted term, TermStates states) {}

  Query query(List<Weighted> terms) {
    try {
      List<Counted> counted = new ArrayList<>();
      for (Weighted term : terms) {
        counted.add(new Counted(term, TermStates.build(searcher, term.term(), true)));
      }
      return new DisjunctionMaxQuery(blended(counted), tieBreaker);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Query> blended(List<Counted> counted) throws IOException {
    int documents = documents(counted);
    List<Counted> byFrequency = new ArrayList<>(counted);
    byFrequency.sort(Comparator.comparingInt((Counted one) -> -one.states.docFreq()));
    int frequency = Math.min(documents, byFrequency.getFirst().states.docFreq());
    int before = frequency;
    List<Query> queries = new ArrayList<>();
    for (Counted one : byFrequency) {
      int own = one.states.docFreq();
      if (own == 0) {
        queries.add(boosted(one, new TermQuery(one.term.term())));
        continue;
      }
      if (before > own) {
        frequency++;
      }
      before = own;
      // Nor in more documents than have its field: it would count against those that hold it.
      int holders = searcher.getIndexReader().getDocCount(one.term.term().field());
      int most = holders < 0 ? documents : Math.min(documents, holders);
      TermStates adjusted = adjusted(one.states, Math.min(most, frequency));
      queries.add(boosted(one, new TermQuery(one.term.term(), adjusted)));
    }
    return queries;
  }

  /// No word can be in more documents than its field has words.
  private int documents(List<Counted> counted) throws IOException {
    IndexReader reader = searcher.getIndexReader();
    long least = reader.maxDoc();
    for (Counted one : counted) {
      long words = reader.getSumTotalTermFreq(one.term.term().field());
      least = words < 0 ? least : Math.min(least, words);
    }
    return (int) least;
  }

  private static Query boosted(Counted one, Query query) {
    return one.term.boost() == 1 ? query : new BoostQuery(query, one.term.boost());
  }

  private TermStates adjusted(TermStates states, int frequency) throws IOException {
    TermStates adjusted = new TermStates(searcher.getTopReaderContext());
    for (LeafReaderContext leaf : searcher.getTopReaderContext().leaves()) {
      @Nullable IOSupplier<TermState> supplier = states.get(leaf);
      TermState state = supplier == null ? null : supplier.get();
      if (state != null) {
        adjusted.register(state, leaf.ord);
      }
    }
    adjusted.accumulateStatistics(frequency, Math.max(frequency, states.totalTermFreq()));
    return adjusted;
  }
}
