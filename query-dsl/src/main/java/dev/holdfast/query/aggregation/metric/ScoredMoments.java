package dev.holdfast.query.aggregation.metric;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.script.ScriptedShard;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.context.ValueScript;
import java.util.function.BiFunction;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Scorable;
import org.jspecify.annotations.Nullable;

/// Sums numbers that a script makes of scores: no column can hold those.
final class ScoredMoments implements Collecting {
  private final ScriptedShard<ValueScript> shard;
  private final MomentSums sums;
  private final BiFunction<Moments, DisplayFormat, Partial> answer;

  ScoredMoments(
      ScriptSource script,
      MomentNeeds needs,
      QueryContext context,
      BiFunction<Moments, DisplayFormat, Partial> answer) {
    this.shard = ScriptedShard.of(script, ValueScript.SHAPE, ValueScript.class, context);
    this.sums = new MomentSums(needs, context.memory());
    this.answer = answer;
  }

  /// Whether a script asks for scores.
  static boolean isScored(ScriptSource script) {
    return script.text().contains("_score");
  }

  @Override
  public boolean needsScores() {
    return true;
  }

  @Override
  public Leaf leaf(LeafReaderContext segment) {
    ValueScript script = shard.in(segment);
    return new Leaf() {
      @Override
      public void collect(int[] docs, int from, int to, long bucket) {
        for (int i = from; i < to; i++) {
          add(docs[i], bucket);
        }
      }

      @Override
      public void collect(int[] docs, long[] buckets, int count) {
        for (int i = 0; i < count; i++) {
          add(docs[i], buckets[i]);
        }
      }

      private void add(int doc, long bucket) {
        sums.ensure(bucket);
        script.moveTo(doc);
        put(script.execute(), (int) bucket);
      }

      @Override
      public void setScorer(Scorable scorer) {
        script.scoreBy(scorer::score);
      }
    };
  }

  private void put(@Nullable Object made, int bucket) {
    switch (made) {
      case Number number -> sums.add(number.doubleValue(), bucket);
      case Iterable<?> values -> values.forEach(one -> put(one, bucket));
      case null, default -> {}
    }
  }

  @Override
  public Partial result(long bucket) {
    return answer.apply(sums.result(bucket), DisplayFormat.PLAIN_DOUBLE);
  }
}
