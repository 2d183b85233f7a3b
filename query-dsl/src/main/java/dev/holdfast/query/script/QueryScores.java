package dev.holdfast.query.script;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.document.runtime.RuntimeReader;
import dev.holdfast.document.runtime.SegmentScores;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.collect.Weights;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.context.ValueScript;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.IdentityHashMap;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// What a query scores the documents of each segment with, kept for scripts of aggregations and
/// sorts that read `_score`: their values are columns, which may be read in any order. A segment is
/// scored when somebody first asks for one of its documents.
public final class QueryScores implements SegmentScores {
  private static final int LOOK_EVERY = 1024;

  private final QueryContext context;
  private final Query query;

  // Guarded by itself.
  private final IdentityHashMap<LeafReader, float[]> bySegment = new IdentityHashMap<>();
  private @Nullable Weight weight;

  private QueryScores(QueryContext context, Query query) {
    this.context = context;
    this.query = query;
  }

  /// Gives the scores of a query to the value scripts of a search, if one of them reads any.
  ///
  /// @throws Refusal `script_exception`, 400, when one of them does not compile
  public static void give(QueryContext context, Query query) {
    boolean isRead = false;
    for (FieldType type : context.mapping().runtime().values()) {
      ScriptedValues scripted = type.scripted();
      if (scripted != null && scripted.shape().equals(ValueScript.SHAPE)) {
        var _ = Scripts.compiled(scripted.script(), scripted.shape());
        isRead |= scripted.script().text().contains("_score");
      }
    }
    if (isRead && context.searcher().getIndexReader() instanceof RuntimeReader reader) {
      reader.scoreBy(new QueryScores(context, query));
    }
  }

  @Override
  public float of(LeafReader segment, int doc) throws IOException {
    synchronized (bySegment) {
      float[] known = bySegment.get(segment);
      if (known == null) {
        known = scores(segment);
        bySegment.put(segment, known);
      }
      return known[doc];
    }
  }

  private float[] scores(LeafReader segment) throws IOException {
    Weight scoring = weight;
    if (scoring == null) {
      scoring = Weights.of(context.searcher(), query, true, ScoreMode.COMPLETE);
      weight = scoring;
    }
    context.memory().add((long) Float.BYTES * segment.maxDoc());
    float[] scores = new float[segment.maxDoc()];
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      Scorer scorer =
          RuntimeReader.plain(leaf.reader()).equals(segment) ? scoring.scorer(leaf) : null;
      if (scorer != null) {
        DocIdSetIterator matches = scorer.iterator();
        int looked = 0;
        for (int doc = matches.nextDoc();
            doc != DocIdSetIterator.NO_MORE_DOCS;
            doc = matches.nextDoc()) {
          scores[doc] = scorer.score();
          if (++looked % LOOK_EVERY == 0) {
            StopSignal.look();
          }
        }
      }
    }
    return scores;
  }
}
