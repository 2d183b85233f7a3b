package dev.holdfast.indexing.notice;

import dev.holdfast.world.metric.Histogram;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// How far search copies lag behind: since when the oldest commit that a copy does not serve yet is
/// durable. Guarded by its owner.
final class CopyLags {
  /// Commits beyond this are forgotten, oldest first: a copy so far behind lags by less than shown.
  private static final int COMMITS_MAX = 1000;

  private final Histogram served;
  private final TreeMap<Long, Long> durableNanos = new TreeMap<>();
  private final Map<String, Long> servedGenerations = new HashMap<>();

  /// @param served gets the lag of each commit and copy when it ends
  CopyLags(Histogram served) {
    this.served = served;
  }

  void durable(long generation, long nowNanos) {
    durableNanos.putIfAbsent(generation, nowNanos);
    if (durableNanos.size() > COMMITS_MAX) {
      durableNanos.pollFirstEntry();
    }
  }

  void serves(String member, long generation, long nowNanos) {
    Long before = servedGenerations.put(member, generation);
    Long sinceNanos = durableNanos.get(generation);
    if (sinceNanos != null && (before == null || before < generation)) {
      served.recordNanos(nowNanos - sinceNanos);
    }
  }

  /// The newest commit that it serves; -1 when it was told of none.
  long generation(String member) {
    return servedGenerations.getOrDefault(member, -1L);
  }

  long lagNanos(String member, long nowNanos) {
    Map.Entry<Long, Long> missing = durableNanos.higherEntry(generation(member));
    return missing == null ? 0 : nowNanos - missing.getValue();
  }
}
