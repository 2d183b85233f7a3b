package dev.holdfast.simulation.fortnight;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.call.ShardFigure;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.indexing.engine.SegmentCounts;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/// Shards that say that they are written to as hard as a plan has it: no simulated thread is busy.
final class LoadedShards {
  private LoadedShards() {}

  /// The same shards with loads.
  ///
  /// @param load threads of a shard
  /// @param unanswered hears of those that did not say anything
  static IndexingShards over(
      IndexingShards shards, ToDoubleFunction<ShardId> load, Consumer<ShardId> unanswered) {
    return proxy((_, method, arguments) -> {
      try {
        Object answer = method.invoke(shards, arguments);
        return answer instanceof ShardStats stats
            ? with(stats, load.applyAsDouble((ShardId) arguments[0]))
            : answer;
      } catch (InvocationTargetException e) {
        if (method.getName().equals("stats")) {
          unanswered.accept((ShardId) arguments[0]);
        }
        throw e.getCause();
      }
    });
  }

  /// Shards that can do nothing else.
  static IndexingShards alone(ToDoubleFunction<ShardId> load) {
    return proxy((_, method, arguments) -> {
      if (method.getName().equals("awaitOpen")) {
        return null;
      }
      Broken.unless(
          method.getName().equals("stats"), () -> "[%s] is asked of shards".formatted(method));
      return with(stats(), load.applyAsDouble((ShardId) arguments[0]));
    });
  }

  private static IndexingShards proxy(InvocationHandler handler) {
    return (IndexingShards)
        Proxy.newProxyInstance(
            IndexingShards.class.getClassLoader(), new Class<?>[] {IndexingShards.class}, handler);
  }

  /// One document in no segment.
  private static ShardStats stats() {
    return ShardStats.ofClosed(new SegmentCounts(1, 0, 0), 1, 0);
  }

  private static ShardStats with(ShardStats stats, double threads) {
    long milli = Math.round(threads * 1_000);
    return stats
        .with(ShardFigure.MILLI_LOAD, milli)
        .with(ShardFigure.RECENT_MILLI_LOAD, milli)
        .with(ShardFigure.PEAK_MILLI_LOAD, milli);
  }
}
