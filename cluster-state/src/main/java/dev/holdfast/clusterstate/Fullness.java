package dev.holdfast.clusterstate;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How full the members of a tier are, in three measures: shards by number, writes, bytes. A shard
/// weighs its part of each measure's sum; a member is as full as what it holds weighs, divided by
/// its part of the heap. In balance all members are equally full in each measure.
///
/// What is made small is the unevenness: the sum of `importance · weight held² / capacity` over
/// members and measures. Every move for balance makes it smaller, which cannot go on for ever: so
/// moves end, and none is undone while loads stay as they are.
final class Fullness {
  private static final int MEASURES = 3;
  private static final int BY_NUMBER = 0;
  private static final int BY_WRITES = 1;
  private static final int BY_BYTES = 2;
  private static final double[] IMPORTANCE = {0.2, 0.6, 0.2};

  /// Less writing than this on each member is nothing that should be spread.
  private static final double WRITES_A_MEMBER = 0.5;

  private static final double BYTES_A_MEMBER = 4L << 30;

  /// Weights are whole units: sums do not depend on the order.
  private static final double UNITS = 1L << 50;

  /// A move must gain more than this part of what the weight of the shard itself makes uneven: among
  /// equal members and shards that means a difference of two shards.
  private static final double GAIN_MIN = 0.5;

  /// Loads are never quite right: members that differ by less than this part of the mean are equal
  /// in writes, and in bytes.
  private static final double DIFFERENCE_MIN = 0.05;

  private static final long[] NOTHING = new long[MEASURES];

  private final Map<ShardId, long[]> weights = new HashMap<>();
  private final Map<String, Double> capacities = new HashMap<>();
  private final Map<String, long[]> held = new HashMap<>();
  private final long[] all = new long[MEASURES];

  private Fullness() {}

  /// Nobody holds anything yet.
  ///
  /// @param pool members that may be given shards
  /// @param countsWrites false of search copies, which take none
  static Fullness of(
      ClusterState state, List<Member> pool, Figures figures, boolean countsWrites) {
    List<ShardId> shards = Allocation.shards(state);
    double writes =
        Math.max(
            WRITES_A_MEMBER * pool.size(),
            shards.stream().mapToDouble(shard -> figures.of(shard).writes()).sum());
    double bytes =
        Math.max(
            BYTES_A_MEMBER * pool.size(),
            shards.stream().mapToDouble(shard -> figures.of(shard).bytes()).sum());
    Fullness fullness = new Fullness();
    for (ShardId shard : shards) {
      ShardLoad load = figures.of(shard);
      fullness.weights.put(
          shard,
          new long[] {
            Math.round(UNITS / shards.size()),
            countsWrites ? Math.round(UNITS * load.writes() / writes) : 0,
            Math.round(UNITS * load.bytes() / bytes)
          });
    }
    boolean isHeapKnown = state.members().values().stream().allMatch(m -> m.heapBytes() > 0);
    double heap = pool.stream().mapToDouble(m -> isHeapKnown ? m.heapBytes() : 1).sum();
    for (Member member : state.members().values()) {
      fullness.capacities.put(member.id(), (isHeapKnown ? member.heapBytes() : 1) / heap);
    }
    return fullness;
  }

  private long[] weight(ShardId shard) {
    return weights.getOrDefault(shard, NOTHING);
  }

  /// The heaviest shards first; equals stay in order.
  Comparator<ShardId> heaviestFirst() {
    return Comparator.comparingDouble(shard -> {
      double sum = 0;
      for (int measure = 0; measure < MEASURES; measure++) {
        sum -= IMPORTANCE[measure] * weight(shard)[measure];
      }
      return sum;
    });
  }

  void add(String member, ShardId shard) {
    add(member, shard, 1);
  }

  void remove(String member, ShardId shard) {
    add(member, shard, -1);
  }

  private void add(String member, ShardId shard, int sign) {
    long[] now = held.computeIfAbsent(member, _ -> new long[MEASURES]);
    for (int measure = 0; measure < MEASURES; measure++) {
      now[measure] += sign * weight(shard)[measure];
      all[measure] += sign * weight(shard)[measure];
    }
  }

  private long held(String member, int measure) {
    return held.getOrDefault(member, NOTHING)[measure];
  }

  private double capacity(String member) {
    return capacities.getOrDefault(member, 1.0);
  }

  /// By how much the unevenness grows when a member gets a shard (`sign` 1), or shrinks when it
  /// loses one that it holds (-1), in one measure.
  private double change(String member, ShardId shard, int sign, int measure) {
    double weight = weight(shard)[measure];
    long after = 2 * held(member, measure) + sign * weight(shard)[measure];
    return IMPORTANCE[measure] * (weight / UNITS) * (after / UNITS) / capacity(member);
  }

  private double change(String member, ShardId shard, int sign) {
    double sum = 0;
    for (int measure = 0; measure < MEASURES; measure++) {
      sum += change(member, shard, sign, measure);
    }
    return sum;
  }

  /// Whom to give a shard: the first of the best, empty when there is nobody.
  String bestToGive(Iterable<String> members, ShardId shard) {
    String best = "";
    double least = Double.POSITIVE_INFINITY;
    for (String member : members) {
      double change = change(member, shard, 1);
      if (change < least) {
        best = member;
        least = change;
      }
    }
    return best;
  }

  /// Whom to take a shard from, of those that have it: the last of the best, empty when there is
  /// nobody.
  String bestToTake(Iterable<String> members, ShardId shard) {
    String best = "";
    double most = Double.NEGATIVE_INFINITY;
    for (String member : members) {
      double change = change(member, shard, -1);
      if (change >= most) {
        best = member;
        most = change;
      }
    }
    return best;
  }

  /// How much evener it gets when a shard moves; 0 when that is not worth a move.
  double gain(String from, String to, ShardId shard) {
    double gain = 0;
    double own = 0;
    boolean isNoticeable = false;
    for (int measure = 0; measure < MEASURES; measure++) {
      double part = change(from, shard, -1, measure) - change(to, shard, 1, measure);
      double weight = weight(shard)[measure] / UNITS;
      double ofItself =
          IMPORTANCE[measure] * weight * weight * (1 / capacity(from) + 1 / capacity(to));
      gain += part;
      own += ofItself;
      isNoticeable |= part > GAIN_MIN * ofItself && differ(from, to, measure);
    }
    return isNoticeable && gain > GAIN_MIN * own ? gain : 0;
  }

  private boolean differ(String fuller, String emptier, int measure) {
    double difference =
        held(fuller, measure) / capacity(fuller) - held(emptier, measure) / capacity(emptier);
    return switch (measure) {
      case BY_NUMBER -> difference > 0;
      case BY_WRITES, BY_BYTES -> difference > DIFFERENCE_MIN * all[measure];
      default -> throw new IllegalArgumentException("no such measure: " + measure);
    };
  }
}
