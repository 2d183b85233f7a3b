package dev.holdfast.clusterstate.allocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.ShardId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// How full the members of a tier are, in three measures: shards by number, writes, bytes. A shard
/// weighs its part of each measure's sum; a member is as full as what it holds weighs, divided by
/// its part of the heap. In balance all members are equally full in each measure.
///
/// What is made small is the unevenness: the sum of `importance · weight held² / capacity` over
/// members and measures. Every move for balance makes it smaller, which cannot go on for ever: so
/// moves end, and none is undone while loads stay as they are.
final class MemberLoads {
  private static final int MEASURES = 3;
  private static final int BY_NUMBER = 0;

  /// Of number, writes and bytes.
  private static final double[] IMPORTANCE = {0.2, 0.6, 0.2};

  /// Less writing than this on each member is nothing that should be spread.
  private static final double WRITES_A_MEMBER = 0.5;

  private static final double BYTES_A_MEMBER = 4L << 30;

  /// Weights are whole units: sums do not depend on the order.
  private static final double UNITS = 1L << 50;

  /// A move must gain more than this part of what the weight of the shard itself makes uneven:
  /// among equal members and shards that means a difference of two shards.
  private static final double GAIN_MIN = 0.5;

  /// Loads are never quite right: members that differ by less than this part of the mean are equal
  /// in writes, and in bytes.
  private static final double DIFFERENCE_MIN = 0.05;

  /// Of the shards that have a load; of thousands most have none.
  private final Map<ShardId, long[]> weights = new HashMap<>();

  /// Of the others.
  private final long[] light;

  private final Map<String, Holder> holders = new HashMap<>();
  private final long[] all = new long[MEASURES];

  private MemberLoads(long[] light) {
    this.light = light;
  }

  /// A member: its part of the heap, and the weight of what it holds.
  private static final class Holder {
    final double capacity;
    final long[] held = new long[MEASURES];

    Holder(double capacity) {
      this.capacity = capacity;
    }

    /// By how much the unevenness grows when it gets a shard (`sign` 1), or shrinks when it loses
    /// one that it holds (-1), in one measure.
    double change(long[] weight, int sign, int measure) {
      return weight[measure] == 0
          ? 0
          : IMPORTANCE[measure]
              * (weight[measure] / UNITS)
              * ((2 * held[measure] + sign * weight[measure]) / UNITS)
              / capacity;
    }

    double change(long[] weight, int sign) {
      double sum = 0;
      for (int measure = 0; measure < MEASURES; measure++) {
        sum += change(weight, sign, measure);
      }
      return sum;
    }

    double fullness(int measure) {
      return held[measure] / capacity;
    }
  }

  /// Nobody holds anything yet.
  ///
  /// @param shards of the state
  /// @param pool members that may be given shards
  /// @param countsWrites false of search copies, which take none
  static MemberLoads of(
      ClusterState state,
      List<ShardId> shards,
      List<Member> pool,
      AllocationInputs figures,
      boolean countsWrites) {
    Map<ShardId, ShardLoad> loads = new LinkedHashMap<>();
    double writes = 0;
    double bytes = 0;
    for (ShardId shard : figures.shards().isEmpty() ? List.<ShardId>of() : shards) {
      ShardLoad load = figures.of(shard);
      if (!load.equals(ShardLoad.NONE)) {
        loads.put(shard, load);
        writes += load.writes();
        bytes += load.bytes();
      }
    }
    double allWrites = Math.max(writes, WRITES_A_MEMBER * pool.size());
    double allBytes = Math.max(bytes, BYTES_A_MEMBER * pool.size());
    long one = shards.isEmpty() ? 0 : Math.round(UNITS / shards.size());
    MemberLoads fullness = new MemberLoads(new long[] {one, 0, 0});
    loads.forEach((shard, load) ->
        fullness.weights.put(
            shard,
            new long[] {
              one,
              countsWrites ? Math.round(UNITS * load.writes() / allWrites) : 0,
              Math.round(UNITS * load.bytes() / allBytes)
            }));
    boolean isHeapKnown = state.members().values().stream().allMatch(m -> m.heapBytes() > 0);
    double heap = pool.stream().mapToDouble(m -> isHeapKnown ? m.heapBytes() : 1).sum();
    for (Member member : state.members().values()) {
      double capacity = (isHeapKnown ? member.heapBytes() : 1) / heap;
      fullness.holders.put(member.id(), new Holder(capacity));
    }
    return fullness;
  }

  private long[] weight(ShardId shard) {
    return weights.isEmpty() ? light : weights.getOrDefault(shard, light);
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
    long[] weight = weight(shard);
    Holder holder = holder(member);
    for (int measure = 0; measure < MEASURES; measure++) {
      holder.held[measure] += sign * weight[measure];
      all[measure] += sign * weight[measure];
    }
  }

  private Holder holder(String member) {
    return holders.computeIfAbsent(member, _ -> new Holder(1));
  }

  /// Whom to give a shard: the first of the best, empty when there is nobody.
  ///
  /// @param without those that have it
  String bestToGive(Iterable<String> members, Set<String> without, ShardId shard) {
    long[] weight = weight(shard);
    String best = "";
    double least = Double.POSITIVE_INFINITY;
    for (String member : members) {
      double change = holder(member).change(weight, 1);
      if (change < least && !without.contains(member)) {
        best = member;
        least = change;
      }
    }
    return best;
  }

  /// Whom to take a shard from, of those that have it: the last of the best, empty when there is
  /// nobody.
  String bestToTake(Iterable<String> members, ShardId shard) {
    long[] weight = weight(shard);
    String best = "";
    double most = Double.NEGATIVE_INFINITY;
    for (String member : members) {
      double change = holder(member).change(weight, -1);
      if (change >= most) {
        best = member;
        most = change;
      }
    }
    return best;
  }

  /// How much evener it gets when a shard moves; 0 when that is not worth a move.
  double gain(String from, String to, ShardId shard) {
    long[] weight = weight(shard);
    Holder source = holder(from);
    Holder target = holder(to);
    double gain = 0;
    double own = 0;
    boolean isNoticeable = false;
    for (int measure = 0; measure < MEASURES; measure++) {
      double part = source.change(weight, -1, measure) - target.change(weight, 1, measure);
      double size = weight[measure] / UNITS;
      double ofItself =
          IMPORTANCE[measure] * size * size * (1 / source.capacity + 1 / target.capacity);
      double least = measure == BY_NUMBER ? 0 : DIFFERENCE_MIN * all[measure];
      boolean differs = source.fullness(measure) - target.fullness(measure) > least;
      gain += part;
      own += ofItself;
      isNoticeable |= differs && part > GAIN_MIN * ofItself;
    }
    return isNoticeable && gain > GAIN_MIN * own ? gain : 0;
  }
}
