package dev.holdfast.query.aggregation.bucket.histogram;

import dev.holdfast.world.StopSignal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Clusters in a row whose closest neighbours are joined. Each is known by the place of its first
/// member; what a queue says of distances is out of date when one of the two was joined meanwhile.
final class ClusterChain {
  private static final int NONE = -1;

  private final ClusterPartial.Cluster[] clusters;
  private final int[] before;
  private final int[] after;

  /// How often each was joined; [#NONE] of those that went into another.
  private final int[] times;

  private final PriorityQueue<Pair> closest =
      new PriorityQueue<>(Comparator.comparingDouble(Pair::distance).thenComparingInt(Pair::left));

  /// Two neighbours, as they were.
  private record Pair(double distance, int left, int leftTimes, int right, int rightTimes) {}

  /// @param sorted ascending, two at least
  ClusterChain(List<ClusterPartial.Cluster> sorted) {
    int size = sorted.size();
    clusters = sorted.toArray(ClusterPartial.Cluster[]::new);
    before = new int[size];
    after = new int[size];
    times = new int[size];
    for (int i = 0; i < size; i++) {
      before[i] = i - 1;
      after[i] = i + 1 < size ? i + 1 : NONE;
    }
    for (int i = 0; i + 1 < size; i++) {
      offer(i, i + 1);
    }
  }

  /// @param size how many are left
  List<ClusterPartial.Cluster> joined(int size) {
    int left = clusters.length;
    while (left > size) {
      StopSignal.pollForCancelling();
      Pair pair = closest.remove();
      if (times[pair.left] == pair.leftTimes && times[pair.right] == pair.rightTimes) {
        join(pair.left, pair.right);
        left--;
      }
    }
    List<ClusterPartial.Cluster> joined = new ArrayList<>(left);
    for (int at = 0; at != NONE; at = after[at]) {
      joined.add(clusters[at]);
    }
    return joined;
  }

  private void join(int left, int right) {
    clusters[left] = clusters[left].merge(clusters[right]);
    times[left]++;
    times[right] = NONE;
    after[left] = after[right];
    if (before[left] != NONE) {
      offer(before[left], left);
    }
    if (after[left] != NONE) {
      before[after[left]] = left;
      offer(left, after[left]);
    }
  }

  private void offer(int left, int right) {
    double distance = clusters[right].mean() - clusters[left].mean();
    // What has no distance, between numbers beyond all, comes last.
    double known = Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance;
    closest.add(new Pair(known, left, times[left], right, times[right]));
  }
}
