package dev.holdfast.search.figures;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Counts what is searched here, by shard, and by the groups that searches name in `stats`. What
/// was counted stays until the index is deleted, whoever has the copies.
public final class SearchCounters {
  /// Groups that are kept of a shard; searches in more of them count for the shard alone.
  private static final int GROUPS_MAX = 1000;

  /// Of all shards together: some 600 bytes each, and a few thousand where they are told.
  private static final int GROUPS_OF_ALL_MAX = 2_000;

  /// Longer names, in characters, are no groups.
  private static final int NAME_MAX = 256;

  private final Clock clock;
  private final AtomicInteger groupsOfAll = new AtomicInteger();
  private final Map<ShardId, OfShard> shards = new ConcurrentHashMap<>();

  public SearchCounters(Clock clock) {
    this.clock = clock;
  }

  /// What a search does on a shard.
  public enum Phase {
    QUERY,
    FETCH,
    /// The query phase of a search that asks for suggestions alone.
    SUGGEST,
    /// What a search asks of all its shards before the query phase; shown nowhere.
    STATISTICS
  }

  /// The work of a phase.
  @FunctionalInterface
  public interface Work<T, X extends Exception> {
    T run() throws X;
  }

  /// Counts a phase while it runs; one that throws has failed.
  public <T, X extends Exception> T during(
      Phase phase, ShardId shard, List<String> groups, Work<T, X> work) throws X {
    List<Counts> counted = counts(of(shard), groups);
    long startNanos = clock.nanoTime();
    counted.forEach(one -> one.of(phase).begin());
    boolean isDone = false;
    try {
      T result = work.run();
      isDone = true;
      return result;
    } finally {
      long nowNanos = clock.nanoTime();
      for (Counts one : counted) {
        one.of(phase).end(isDone, nowNanos - startNanos);
        one.load.add(nowNanos, nowNanos - startNanos);
      }
    }
  }

  private List<Counts> counts(OfShard shard, List<String> groups) {
    if (groups.isEmpty()) {
      return List.of(shard.all);
    }
    List<Counts> counted = new ArrayList<>();
    counted.add(shard.all);
    for (String group : new HashSet<>(groups)) {
      Counts known = shard.groups.get(group);
      if (known == null && mayKeep(shard, group)) {
        known = shard.groups.computeIfAbsent(group, _ -> kept());
      }
      if (known != null) {
        counted.add(known);
      }
    }
    return counted;
  }

  private boolean mayKeep(OfShard shard, String group) {
    return group.length() <= NAME_MAX
        && shard.groups.size() < GROUPS_MAX
        && groupsOfAll.get() < GROUPS_OF_ALL_MAX;
  }

  private Counts kept() {
    groupsOfAll.incrementAndGet();
    return new Counts(clock.nanoTime());
  }

  /// A scroll has ended that was open for so long.
  public void scrolled(ShardId shard, long openNanos) {
    OfShard of = of(shard);
    of.scrolls.incrementAndGet();
    of.scrollNanos.addAndGet(openNanos);
  }

  private OfShard of(ShardId shard) {
    return shards.computeIfAbsent(shard, _ -> new OfShard(clock.nanoTime()));
  }

  /// @param open contexts by shard, `scrolls` those of them that are scrolls'
  public Map<ShardId, SearchFigures> figures(
      Map<ShardId, Integer> open, Map<ShardId, Integer> scrolls) {
    Map<ShardId, SearchFigures> figures = new HashMap<>();
    long nowNanos = clock.nanoTime();
    Set<ShardId> all = new HashSet<>(shards.keySet());
    all.addAll(open.keySet());
    for (ShardId shard : all) {
      int openScrolls = scrolls.getOrDefault(shard, 0);
      OfShard of = shards.get(shard);
      figures.put(
          shard,
          (of == null ? new OfShard(nowNanos) : of)
              .figures(nowNanos, open.getOrDefault(shard, 0), openScrolls));
    }
    return figures;
  }

  public void keepOnly(ClusterState state) {
    for (ShardId shard : List.copyOf(shards.keySet())) {
      var index = state.indices().get(shard.index().name());
      if (index == null || !index.id().equals(shard.index())) {
        OfShard gone = shards.remove(shard);
        groupsOfAll.addAndGet(gone == null ? 0 : -gone.groups.size());
      }
    }
  }

  private static final class OfShard {
    private final Counts all;
    private final Map<String, Counts> groups = new ConcurrentHashMap<>();
    private final AtomicLong scrolls = new AtomicLong();
    private final AtomicLong scrollNanos = new AtomicLong();

    OfShard(long nowNanos) {
      all = new Counts(nowNanos);
    }

    SearchFigures figures(long nowNanos, long openContexts, long openScrolls) {
      SortedMap<String, SearchFigures> byGroup = new TreeMap<>();
      PhaseFigures scroll =
          new PhaseFigures(scrolls.get(), millis(scrollNanos.get()), openScrolls, 0);
      groups.forEach((name, counts) ->
          byGroup.put(name, counts.figures(nowNanos, PhaseFigures.NONE, 0, new TreeMap<>())));
      return all.figures(nowNanos, scroll, openContexts, byGroup);
    }
  }

  private static final class Counts {
    private final Map<Phase, PhaseCount> phases = new EnumMap<>(Phase.class);
    private final RecentLoad load;

    Counts(long nowNanos) {
      load = new RecentLoad(nowNanos);
      for (Phase phase : Phase.values()) {
        phases.put(phase, new PhaseCount());
      }
    }

    PhaseCount of(Phase phase) {
      return Objects.requireNonNull(phases.get(phase));
    }

    SearchFigures figures(
        long nowNanos,
        PhaseFigures scroll,
        long openContexts,
        SortedMap<String, SearchFigures> groups) {
      return new SearchFigures(
          of(Phase.QUERY).figures(),
          of(Phase.FETCH).figures(),
          of(Phase.SUGGEST).figures(),
          scroll,
          openContexts,
          load.threads(nowNanos),
          groups);
    }
  }

  private static final class PhaseCount {
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger current = new AtomicInteger();
    private final AtomicLong failures = new AtomicLong();

    void begin() {
      current.incrementAndGet();
    }

    void end(boolean isDone, long took) {
      current.decrementAndGet();
      if (isDone) {
        total.incrementAndGet();
        nanos.addAndGet(took);
      } else {
        failures.incrementAndGet();
      }
    }

    PhaseFigures figures() {
      return new PhaseFigures(total.get(), millis(nanos.get()), current.get(), failures.get());
    }
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }
}
