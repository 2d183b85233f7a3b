package dev.holdfast.query.script;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.context.FilterScript;
import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// `script`: documents that a script says yes to. It is asked last, of documents that everything
/// else lets through.
public record ScriptClause(ScriptSource script) implements QueryClause {
  private static final float COST = 1_000;

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    if (!of.json().has("script")) {
      throw QueryReader.parsing("script must be provided with a [script] query");
    }
    return of.finish(new ScriptClause(ScriptSource.parse(of.json().take("script"))));
  }

  @Override
  public Query toLucene(QueryContext context) {
    context.beExpensive("[script] queries", "");
    return new Scripted(
        this, ScriptedShard.of(script, FilterScript.SHAPE, FilterScript.class, context));
  }

  private static final class Scripted extends Query {
    private final ScriptClause clause;
    private final ScriptedShard<FilterScript> shard;

    Scripted(ScriptClause clause, ScriptedShard<FilterScript> shard) {
      this.clause = clause;
      this.shard = shard;
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
      return new ConstantScoreWeight(this, boost) {
        @Override
        public ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
          FilterScript filter = shard.in(leaf);
          DocIdSetIterator all = DocIdSetIterator.all(leaf.reader().maxDoc());
          TwoPhaseIterator phases =
              new TwoPhaseIterator(all) {
                @Override
                public boolean matches() {
                  filter.moveTo(all.docID());
                  return filter.execute();
                }

                @Override
                public float matchCost() {
                  return COST;
                }
              };
          Scorer scorer = new ConstantScoreScorer(score(), mode, phases);
          return new DefaultScorerSupplier(scorer);
        }

        @Override
        public boolean isCacheable(LeafReaderContext leaf) {
          return false;
        }
      };
    }

    @Override
    public void visit(QueryVisitor visitor) {
      visitor.visitLeaf(this);
    }

    @Override
    public String toString(String field) {
      return "ScriptQuery(" + clause.script().text() + ")";
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Scripted scripted
          && scripted.clause.equals(clause)
          && scripted.shard.context().index().equals(shard.context().index());
    }

    @Override
    public int hashCode() {
      return Objects.hash(clause, shard.context().index());
    }
  }
}
