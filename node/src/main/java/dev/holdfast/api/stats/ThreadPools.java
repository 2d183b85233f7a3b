package dev.holdfast.api.stats;

import dev.holdfast.http.TimeValue;
import dev.holdfast.world.WorkPool;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The thread pools of a node under Elasticsearch's names, by name. Work for which Elasticsearch
/// has a pool and Holdfast has none runs on virtual threads, which nobody counts: such a pool is
/// shown as one that is always idle, so that dashboards find the names they ask for.
public final class ThreadPools {
  private static final Duration KEEP_ALIVE = Duration.ofMinutes(5);
  private static final List<String> WITHOUT_THREADS =
      List.of(
          "analyze",
          "fetch_shard_started",
          "fetch_shard_store",
          "flush",
          "force_merge",
          "generic",
          "get",
          "management",
          "snapshot",
          "warmer");

  private ThreadPools() {}

  /// One pool.
  ///
  /// @param work null for a pool that is a name only
  public record Pool(String name, @Nullable WorkPool work) {
    /// Elasticsearch's word for how its size changes.
    public String type() {
      return work == null ? "scaling" : "fixed";
    }

    /// Threads that it may have now.
    public int threads() {
      return work == null ? 0 : work.size();
    }

    /// The most that it has had at once.
    public int largest() {
      return work == null ? 0 : work.largest();
    }

    public int active() {
      return work == null ? 0 : work.active();
    }

    public int queued() {
      return work == null ? 0 : work.queued();
    }

    /// Without a limit: -1.
    public int queueMax() {
      return work == null ? -1 : work.queueMax();
    }

    public long rejected() {
      return work == null ? 0 : work.rejected();
    }

    public long completed() {
      return work == null ? 0 : work.completed();
    }

    /// Threads of a fixed pool.
    public @Nullable Integer size() {
      return work == null ? null : work.threads();
    }

    /// Threads that a scaling pool keeps.
    public @Nullable Integer core() {
      return work == null ? 0 : null;
    }

    /// Threads that a scaling pool may have.
    public @Nullable Integer max() {
      return work == null ? 1 : null;
    }

    public @Nullable Duration keepAlive() {
      return work == null ? KEEP_ALIVE : null;
    }

    /// What it does, as `_nodes/stats` shows it.
    public void writeStats(StatisticsWriter figures) throws IOException {
      figures.number("threads", threads());
      figures.number("queue", queued());
      figures.number("active", active());
      figures.number("rejected", rejected());
      figures.number("largest", largest());
      figures.number("completed", completed());
    }

    /// What it is, as `_nodes` shows it.
    public void writeInfo(StatisticsWriter figures) throws IOException {
      figures.text("type", type());
      if (work == null) {
        figures.number("core", 0);
        figures.number("max", 1);
        figures.text("keep_alive", TimeValue.text(KEEP_ALIVE.toMillis()));
      } else {
        figures.number("size", work.threads());
      }
      figures.number("queue_size", queueMax());
    }
  }

  /// What all of them are, by name.
  public static void writeInfo(StatisticsWriter figures, List<? extends WorkPool> pools)
      throws IOException {
    for (Pool pool : of(pools)) {
      figures.object(pool.name(), () -> pool.writeInfo(figures));
    }
  }

  public static List<Pool> of(List<? extends WorkPool> pools) {
    List<Pool> all = new ArrayList<>();
    pools.forEach(pool -> all.add(new Pool(pool.name(), pool)));
    for (String name : WITHOUT_THREADS) {
      if (pools.stream().noneMatch(pool -> pool.name().equals(name))) {
        all.add(new Pool(name, null));
      }
    }
    all.sort(Comparator.comparing(Pool::name));
    return all;
  }
}
