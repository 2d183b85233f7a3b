package dev.holdfast.api.ingest;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts documents that went through pipelines since this process began.
public final class IngestFigures {
  private final Counters total = new Counters();
  private final Map<String, Counters> byPipeline = new ConcurrentHashMap<>();

  /// Counters of one pipeline, or of all.
  ///
  /// @param nanos time that was spent
  public record Counters(LongAdder count, LongAdder failed, LongAdder current, LongAdder nanos) {
    Counters() {
      this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }

    public long millis() {
      return nanos.sum() / 1_000_000;
    }
  }

  public Counters total() {
    return total;
  }

  public Map<String, Counters> byPipeline() {
    return new TreeMap<>(byPipeline);
  }

  void began(String pipeline) {
    total.current().increment();
    of(pipeline).current().increment();
  }

  void ended(String pipeline, boolean hasFailed, long nanos) {
    for (Counters counters : new Counters[] {total, of(pipeline)}) {
      counters.current().decrement();
      counters.count().increment();
      counters.nanos().add(nanos);
      if (hasFailed) {
        counters.failed().increment();
      }
    }
  }

  /// Forgets a pipeline that was deleted.
  void forget(String pipeline) {
    byPipeline.remove(pipeline);
  }

  private Counters of(String pipeline) {
    return byPipeline.computeIfAbsent(pipeline, id -> new Counters());
  }
}
