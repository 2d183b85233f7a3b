package dev.holdfast.query.aggregation.metric.scripted;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.script.ScriptedShard;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.metric.CombineScript;
import dev.holdfast.script.metric.InitScript;
import dev.holdfast.script.metric.MapScript;
import dev.holdfast.script.runtime.Contents;
import dev.holdfast.script.runtime.ScriptLimitError;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Scorable;

/// The states of a `scripted_metric` on one shard, by bucket. What scripts hold is measured each
/// time that its documents have doubled.
final class ScriptedStates implements Collecting {
  private static final int STATE_BYTES = 1 << 10;
  private static final int LOOK_EVERY = 1024;

  private final ScriptedMetric request;
  private final QueryContext context;
  private final ScriptedShard<MapScript> mapping;
  private final Map<Long, State> states = new HashMap<>();
  private long documents;

  private static final class State {
    private final Map<String, Object> values = new LinkedHashMap<>();
    private int documents;
    private long bytes;
  }

  ScriptedStates(ScriptedMetric request, QueryContext context) {
    this.request = request;
    this.context = context;
    this.mapping = ScriptedShard.of(request.map(), MapScript.SHAPE, MapScript.class, context);
  }

  private State begun() {
    context.memory().add(STATE_BYTES);
    State state = new State();
    ScriptSource init = request.init();
    if (init != null) {
      Scripts.instance(
              InitScript.class,
              Scripts.compiled(init, InitScript.SHAPE),
              init.ownParams(),
              state.values)
          .execute();
    }
    return state;
  }

  private void grown(State state) {
    if (++documents % LOOK_EVERY == 0 && context.isCancelled().getAsBoolean()) {
      throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
    }
    if (Integer.bitCount(++state.documents) == 1) {
      long bytes = bytes(state);
      context.memory().add(Math.max(0, bytes - state.bytes));
      state.bytes = Math.max(bytes, state.bytes);
    }
  }

  private static long bytes(State state) {
    try {
      return Contents.bytes(state.values);
    } catch (ScriptLimitError | UnsupportedOperationException e) {
      // The second says that a part of it is no map to be walked: doc.
      throw Refusal.badArgument(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Leaf leaf(LeafReaderContext segment) {
    MapScript script = mapping.in(segment);
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
        State state = states.computeIfAbsent(bucket, _ -> begun());
        script.of(state.values);
        script.moveTo(doc);
        script.execute();
        grown(state);
      }

      @Override
      public void setScorer(Scorable scorer) {
        script.scoreBy(scorer::score);
      }
    };
  }

  @Override
  public boolean needsScores() {
    return request.map().text().contains("_score");
  }

  @Override
  public Partial result(long bucket) {
    State known = states.get(bucket);
    State state = known == null ? begun() : known;
    ScriptSource combine = request.combine();
    Object combined =
        Scripts.instance(
                CombineScript.class,
                Scripts.compiled(combine, CombineScript.SHAPE),
                combine.ownParams(),
                state.values)
            .execute();
    return new ScriptedPartial(request, List.of(ScriptValues.json(combined)), null);
  }
}
