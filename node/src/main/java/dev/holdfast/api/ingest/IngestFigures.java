package dev.holdfast.api.ingest;

import dev.holdfast.document.ingest.IngestMeters;
import dev.holdfast.document.ingest.IngestPipeline;
import dev.holdfast.document.ingest.PipelineCall;
import dev.holdfast.document.ingest.Step;
import dev.holdfast.world.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counts documents that went through pipelines and their steps since this process began.
public final class IngestFigures implements IngestMeters {
  private final Clock clock;
  private final Counters total;
  private final Map<String, OfPipeline> byPipeline = new ConcurrentHashMap<>();

  IngestFigures(Clock clock) {
    this.clock = clock;
    this.total = new Counters(clock);
  }

  /// Counters of one pipeline or step, or of all.
  ///
  /// @param nanos time that was spent
  public record Counters(
      Clock clock, LongAdder count, LongAdder failed, LongAdder current, LongAdder nanos)
      implements Meter {
    Counters(Clock clock) {
      this(clock, new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }

    public long millis() {
      return nanos.sum() / 1_000_000;
    }

    @Override
    public long began() {
      current.increment();
      return clock.nanoTime();
    }

    @Override
    public void ended(long start, boolean hasFailed) {
      current.decrement();
      count.increment();
      nanos.add(clock.nanoTime() - start);
      if (hasFailed) {
        failed.increment();
      }
    }
  }

  /// A step of a pipeline.
  ///
  /// @param name of the kind, with tag or the pipeline that it calls, where it has one
  public record OfStep(String name, String type, Counters counters) {}

  /// A pipeline with its steps.
  public static final class OfPipeline {
    private final Counters counters;
    private final LongAdder ingested = new LongAdder();
    private final LongAdder produced = new LongAdder();
    private volatile Steps steps = new Steps(null, List.of());

    private record Steps(@Nullable IngestPipeline pipeline, List<OfStep> all) {}

    OfPipeline(Clock clock) {
      this.counters = new Counters(clock);
    }

    public Counters counters() {
      return counters;
    }

    /// Bytes of documents that came to this pipeline first.
    public long ingestedBytes() {
      return ingested.sum();
    }

    /// Bytes of the same documents after their last pipeline.
    public long producedBytes() {
      return produced.sum();
    }

    public List<OfStep> steps() {
      return steps.all();
    }

    /// The counters of a step; those of a pipeline whose steps have changed begin anew.
    @SuppressWarnings("ReferenceEquality") // one version of a pipeline is one object
    private Counters step(IngestPipeline pipeline, int step) {
      Steps now = steps;
      if (now.pipeline() != pipeline) {
        now = following(pipeline);
      }
      return now.all().get(step).counters();
    }

    @SuppressWarnings("ReferenceEquality")
    private synchronized Steps following(IngestPipeline pipeline) {
      Steps before = steps;
      if (before.pipeline() == pipeline) {
        return before;
      }
      List<OfStep> fresh =
          pipeline.steps().stream()
              .map(one -> new OfStep(name(one), one.type(), new Counters(counters.clock())))
              .toList();
      boolean isSame = names(before.all()).equals(names(fresh));
      steps = new Steps(pipeline, isSame ? before.all() : fresh);
      return steps;
    }

    private static List<String> names(List<OfStep> steps) {
      return steps.stream().map(OfStep::name).toList();
    }

    private static String name(Step step) {
      String called = step.processor() instanceof PipelineCall call ? call.name().text() : null;
      String more = step.tag() == null ? called : step.tag();
      return more == null ? step.type() : step.type() + ":" + more;
    }
  }

  public Counters total() {
    return total;
  }

  public Map<String, OfPipeline> byPipeline() {
    return new TreeMap<>(byPipeline);
  }

  @Override
  public Meter of(IngestPipeline pipeline) {
    return of(pipeline.id()).counters();
  }

  @Override
  public Meter of(IngestPipeline pipeline, int step) {
    return of(pipeline.id()).step(pipeline, step);
  }

  /// A document went through all its pipelines.
  ///
  /// @param first the pipeline that it came to first
  void through(String first, long bytesBefore, long bytesAfter) {
    OfPipeline pipeline = of(first);
    pipeline.ingested.add(bytesBefore);
    pipeline.produced.add(bytesAfter);
  }

  /// Forgets a pipeline that was deleted.
  void forget(String pipeline) {
    byPipeline.remove(pipeline);
  }

  private OfPipeline of(String pipeline) {
    return byPipeline.computeIfAbsent(pipeline, id -> new OfPipeline(clock));
  }
}
