package dev.holdfast.query.script;

import dev.holdfast.query.QueryContext;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.context.TermsSetScript;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LongValues;
import org.apache.lucene.search.LongValuesSource;
import org.jspecify.annotations.Nullable;

/// How many terms of a `terms_set` a document must have, as a script says.
public final class ScriptedMinimum extends LongValuesSource {
  private final ScriptedShard<TermsSetScript> shard;

  private ScriptedMinimum(ScriptedShard<TermsSetScript> shard) {
    this.shard = shard;
  }

  /// @param terms how many there are, which the script knows as `params.num_terms`
  public static ScriptedMinimum of(ScriptSource script, int terms, QueryContext context) {
    Map<String, Object> params = script.ownParams();
    params.put("num_terms", terms);
    ScriptSource counted = new ScriptSource(script.lang(), script.text(), params);
    return new ScriptedMinimum(
        ScriptedShard.of(counted, TermsSetScript.SHAPE, TermsSetScript.class, context));
  }

  @Override
  public LongValues getValues(LeafReaderContext leaf, @Nullable DoubleValues scores) {
    TermsSetScript script = shard.in(leaf);
    return new LongValues() {
      private long minimum;

      @Override
      public long longValue() {
        return minimum;
      }

      @Override
      public boolean advanceExact(int doc) {
        script.moveTo(doc);
        Number made = script.execute();
        minimum = made == null ? 0 : made.longValue();
        return made != null;
      }
    };
  }

  @Override
  public boolean needsScores() {
    return false;
  }

  @Override
  public LongValuesSource rewrite(IndexSearcher searcher) {
    return this;
  }

  @Override
  public boolean isCacheable(LeafReaderContext leaf) {
    return false;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScriptedMinimum minimum
        && minimum.shard.script().equals(shard.script())
        && minimum.shard.context().index().equals(shard.context().index());
  }

  @Override
  public int hashCode() {
    return shard.script().hashCode();
  }

  @Override
  public String toString() {
    return "minimum(" + shard.script().text() + ")";
  }
}
