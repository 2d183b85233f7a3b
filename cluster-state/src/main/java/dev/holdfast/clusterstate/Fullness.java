package dev.holdfast.clusterstate;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How full the members of a tier are. A shard weighs what it is of all: a share by number, one by
/// the writes it takes and one by its bytes. A member is as full as what it holds weighs, divided by
/// its share of the heap; in balance all are equally full. Every change here makes the sum of
/// `capacity · fullness²` smaller, which cannot go on for ever: so moves end, and none is undone.
final class Fullness {
  private static final double BY_NUMBER = 0.4;
  private static final double BY_WRITES = 0.4;
  private static final double BY_BYTES = 0.2;

  /// Less writing than this on each member is nothing that should be spread.
  private static final double WRITES_A_MEMBER = 0.5;

  private static final double BYTES_A_MEMBER = 4L << 30;

  /// Weights are counted in whole units: sums do not depend on the order.
  private static final double UNITS = 1L << 50;

  /// Members whose fullness differs by less than this part of the mean are equally full, as soon as
  /// loads are known, which are never quite right.
  private static final double DIFFERENCE_MIN = 0.05;

  /// A move may turn the difference of two members around if what is left is less than this part.
  private static final double OVERSHOOT_MAX = 0.5;

  private final Map<ShardId, Long> weights = new HashMap<>();
  private final Map<String, Double> capacities = new HashMap<>();
  private final Map<String, Long> held = new HashMap<>();
  private final boolean isByLoad;
  private long all;

  private Fullness(boolean isByLoad) {
    this.isByLoad = isByLoad;
  }

  /// Nobody holds anything yet.
  ///
  /// @param pool members that may be given shards
  /// @param countsWrites false of search copies, which take none
  static Fullness of(
      ClusterState state, List<Member> pool, Figures figures, boolean countsWrites) {
    List<ShardId> shards = Allocation.shards(state);
    double writes = WRITES_A_MEMBER * pool.size();
    double bytes = BYTES_A_MEMBER * pool.size();
    writes = Math.max(writes, shards.stream().mapToDouble(s -> figures.of(s).writes()).sum());
    bytes = Math.max(bytes, shards.stream().mapToDouble(s -> figures.of(s).bytes()).sum());
    Fullness fullness = new Fullness(!figures.shards().isEmpty());
    for (ShardId shard : shards) {
      ShardLoad load = figures.of(shard);
      double weight =
          BY_NUMBER / shards.size()
              + (countsWrites ? BY_WRITES * load.writes() / writes : 0)
              + BY_BYTES * load.bytes() / bytes;
      fullness.weights.put(shard, Math.round(UNITS * weight));
    }
    boolean isHeapKnown = state.members().values().stream().allMatch(m -> m.heapBytes() > 0);
    double heap = pool.stream().mapToDouble(m -> isHeapKnown ? m.heapBytes() : 1).sum();
    for (Member member : state.members().values()) {
      fullness.capacities.put(member.id(), (isHeapKnown ? member.heapBytes() : 1) / heap);
    }
    return fullness;
  }

  long weight(ShardId shard) {
    return weights.getOrDefault(shard, 0L);
  }

  void add(String member, ShardId shard) {
    held.merge(member, weight(shard), Long::sum);
    all += weight(shard);
  }

  void remove(String member, ShardId shard) {
    held.merge(member, -weight(shard), Long::sum);
    all -= weight(shard);
  }

  private double of(String member) {
    return held.getOrDefault(member, 0L) / capacity(member);
  }

  private double capacity(String member) {
    return capacities.getOrDefault(member, 1.0);
  }

  /// The members, the fullest first; equals by id.
  List<String> fullestFirst(List<String> members) {
    return members.stream()
        .sorted(
            Comparator.<String>comparingDouble(this::of)
                .reversed()
                .thenComparing(Comparator.reverseOrder()))
        .toList();
  }

  /// Whom to give a shard: empty when there is nobody.
  String bestToGive(List<String> members, ShardId shard) {
    return members.stream()
        .min(
            Comparator.<String>comparingDouble(m -> of(m) + weight(shard) / (2 * capacity(m)))
                .thenComparing(Comparator.naturalOrder()))
        .orElse("");
  }

  /// Whom to take a shard from, of those that have it: empty when there is nobody.
  String bestToTake(List<String> members, ShardId shard) {
    return members.stream()
        .max(
            Comparator.<String>comparingDouble(m -> of(m) - weight(shard) / (2 * capacity(m)))
                .thenComparing(Comparator.naturalOrder()))
        .orElse("");
  }

  /// Whether the difference of two members is worth a move.
  boolean differ(String fuller, String emptier) {
    return of(fuller) - of(emptier) > (isByLoad ? DIFFERENCE_MIN * all : 0);
  }

  /// How much of the difference of two members would be left if a shard moved; infinite when it
  /// should not.
  double leftAfter(String from, String to, ShardId shard) {
    double before = of(from) - of(to);
    double after = before - weight(shard) / capacity(from) - weight(shard) / capacity(to);
    return after < -OVERSHOOT_MAX * before ? Double.POSITIVE_INFINITY : Math.abs(after);
  }
}
