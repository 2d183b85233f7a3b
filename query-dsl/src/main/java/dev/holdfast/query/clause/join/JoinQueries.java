package dev.holdfast.query.clause.join;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.collect.SegmentLoop;
import dev.holdfast.query.collect.Weights;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.join.ScoreMode;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Joins documents of a shard by the ids that a field of theirs holds.
final class JoinQueries {
  /// What an id takes beside its bytes: in the table, with its scores, and in the query made of it.
  private static final int ID_BYTES = 200;

  private JoinQueries() {}

  /// The scores of the matches with one id.
  private static final class Matches {
    private int count;
    private double sum;
    private float least = Float.POSITIVE_INFINITY;
    private float greatest = Float.NEGATIVE_INFINITY;

    void add(float score) {
      count++;
      sum += score;
      least = Math.min(least, score);
      greatest = Math.max(greatest, score);
    }

    float score(ScoreMode mode) {
      return switch (mode) {
        case None -> 1;
        case Avg -> (float) (sum / count);
        case Max -> greatest;
        case Min -> least;
        case Total -> (float) sum;
      };
    }
  }

  /// Documents of `to` with an id that matches of `from` have, often enough.
  ///
  /// @param ids the field of ids, of both sides
  static Query query(
      QueryContext context,
      String ids,
      Query from,
      Query to,
      ScoreMode mode,
      int matchesMin,
      int matchesMax) {
    return query(context, ids, from, to, mode, matchesMin, matchesMax, JoinMemory.ofHeap());
  }

  /// As above.
  ///
  /// @param memory for the ids
  static Query query(
      QueryContext context,
      String ids,
      Query from,
      Query to,
      ScoreMode mode,
      int matchesMin,
      int matchesMax,
      JoinMemory memory) {
    Map<BytesRef, Matches> found = new HashMap<>();
    try {
      new SegmentLoop(context, () -> false)
          .run(
              Weights.of(
                  context.searcher(),
                  from,
                  mode != ScoreMode.None,
                  org.apache.lucene.search.ScoreMode.COMPLETE),
              new Collecting(ids, mode != ScoreMode.None, found, memory));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<BytesRef> terms = new ArrayList<>();
    BooleanQuery.Builder scored = new BooleanQuery.Builder();
    Map<Float, List<BytesRef>> byScore = new HashMap<>();
    found.forEach((id, matches) -> {
      if (matches.count >= matchesMin && matches.count <= matchesMax) {
        terms.add(id);
        byScore.computeIfAbsent(matches.score(mode), _ -> new ArrayList<>()).add(id);
      }
    });
    if (terms.isEmpty()) {
      return new MatchNoDocsQuery("no joined documents");
    }
    if (mode == ScoreMode.None) {
      Query joined =
          new BooleanQuery.Builder()
              .add(new TermInSetQuery(ids, terms), Occur.FILTER)
              .add(to, Occur.FILTER)
              .build();
      return new ConstantScoreQuery(joined);
    }
    byScore.forEach((score, same) ->
        scored.add(
            new BoostQuery(new ConstantScoreQuery(new TermInSetQuery(ids, same)), score),
            Occur.SHOULD));
    return new BooleanQuery.Builder().add(scored.build(), Occur.MUST).add(to, Occur.FILTER).build();
  }

  /// Collects ids with the scores of their documents.
  private record Collecting(
      String ids, boolean needsScores, Map<BytesRef, Matches> found, JoinMemory memory)
      implements Collector {
    @Override
    public org.apache.lucene.search.ScoreMode scoreMode() {
      return needsScores
          ? org.apache.lucene.search.ScoreMode.COMPLETE
          : org.apache.lucene.search.ScoreMode.COMPLETE_NO_SCORES;
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
      SortedSetDocValues values = DocValues.getSortedSet(leaf.reader(), ids);
      return new LeafCollector() {
        private @Nullable Scorable scorable;

        @Override
        public void setScorer(Scorable scorer) {
          scorable = scorer;
        }

        @Override
        public void collect(int doc) throws IOException {
          if (values.advanceExact(doc)) {
            BytesRef id = values.lookupOrd(values.nextOrd());
            Matches matches = found.get(id);
            if (matches == null) {
              memory.add(ID_BYTES + 2L * id.length);
              matches = new Matches();
              found.put(BytesRef.deepCopyOf(id), matches);
            }
            matches.add(needsScores && scorable != null ? scorable.score() : 1);
          }
        }
      };
    }
  }
}
