package dev.holdfast.document.field;

import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.text.Similarity.Doc;
import dev.holdfast.script.text.Similarity.Field;
import dev.holdfast.script.text.Similarity.Query;
import dev.holdfast.script.text.Similarity.Term;
import dev.holdfast.script.text.SimilarityScript;
import dev.holdfast.script.text.WeightScript;
import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.util.SmallFloat;
import org.jspecify.annotations.Nullable;

/// A similarity whose scores a script makes.
final class ScriptedSimilarity extends Similarity {
  private static final BM25Similarity NORMS = new BM25Similarity();

  private final @Nullable ScriptSource weight;
  private final ScriptSource script;

  /// @param weight null for 1
  ScriptedSimilarity(@Nullable ScriptSource weight, ScriptSource script) {
    this.weight = weight;
    this.script = script;
    var _ = Scripts.compiled(script, SimilarityScript.SHAPE);
    if (weight != null) {
      var _ = Scripts.compiled(weight, WeightScript.SHAPE);
    }
  }

  @Override
  public long computeNorm(FieldInvertState state) {
    return NORMS.computeNorm(state);
  }

  @Override
  public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... terms) {
    Query query = new Query(boost);
    Field field =
        new Field(collection.docCount(), collection.sumDocFreq(), collection.sumTotalTermFreq());
    Term[] all = new Term[terms.length];
    double[] weights = new double[terms.length];
    for (int i = 0; i < terms.length; i++) {
      all[i] = new Term(terms[i].docFreq(), terms[i].totalTermFreq());
      weights[i] =
          weight == null
              ? 1
              : Scripts.instance(
                      WeightScript.class,
                      Scripts.compiled(weight, WeightScript.SHAPE),
                      weight.ownParams())
                  .execute(query, field, all[i]);
    }
    // Segments of one search are scored by several threads.
    ThreadLocal<SimilarityScript> scripts =
        ThreadLocal.withInitial(() ->
            Scripts.instance(
                SimilarityScript.class,
                Scripts.compiled(script, SimilarityScript.SHAPE),
                script.ownParams()));
    return new SimScorer() {
      @Override
      public float score(float freq, long norm) {
        Doc doc = new Doc(SmallFloat.byte4ToInt((byte) norm), freq);
        double sum = 0;
        for (int i = 0; i < all.length; i++) {
          sum += scripts.get().execute(weights[i], query, field, all[i], doc);
        }
        return (float) sum;
      }
    };
  }
}
