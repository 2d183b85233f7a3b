package dev.holdfast.autoscaler;

import dev.holdfast.world.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// The sizes that a tier can have, as rungs: each has more than the one below. Up to three nodes of
/// a size, then the next size; of the largest as many as are allowed (§7, §8.3).
public final class SizeLadder {
  public static final int NODES_MAX = 1000;

  private static final int NODES_A_SIZE = 3;

  private final List<TierSize> rungs = new ArrayList<>();

  private SizeLadder() {}

  /// @param sizes of nodes, the smallest first
  /// @param nodesMin at any time, 0 or more
  /// @param nodesMax at any time, at least 1 and `nodesMin`, at most [#NODES_MAX]
  public static SizeLadder of(List<NodeSize> sizes, int nodesMin, int nodesMax) {
    Promise.keep(
        !sizes.isEmpty()
            && nodesMin >= 0
            && nodesMax >= Math.max(1, nodesMin)
            && nodesMax <= NODES_MAX,
        "a ladder has sizes and room",
        "sizes",
        sizes,
        "min",
        nodesMin,
        "max",
        nodesMax);
    SizeLadder ladder = new SizeLadder();
    for (int i = 0; i < sizes.size(); i++) {
      NodeSize size = sizes.get(i);
      Promise.keep(i == 0 || sizes.get(i - 1).isSmallerThan(size), "sizes grow", "sizes", sizes);
      int most = i == sizes.size() - 1 ? nodesMax : Math.min(nodesMax, NODES_A_SIZE);
      for (int nodes = i == 0 ? nodesMin : Math.max(1, nodesMin); nodes <= most; nodes++) {
        ladder.add(new TierSize(nodes, size));
      }
    }
    if (ladder.rungs.isEmpty()) {
      ladder.add(new TierSize(nodesMin, sizes.getLast()));
    }
    return ladder;
  }

  private void add(TierSize rung) {
    if (rungs.isEmpty() || rung.cores() > rungs.getLast().cores()) {
      rungs.add(rung);
    }
  }

  TierSize at(int rung) {
    return rungs.get(rung);
  }

  int top() {
    return rungs.size() - 1;
  }

  /// The lowest rung that is enough, the one above the top when none is.
  int first(Predicate<TierSize> isEnough) {
    for (int rung = 0; rung < rungs.size(); rung++) {
      if (isEnough.test(rungs.get(rung))) {
        return rung;
      }
    }
    return rungs.size();
  }

  /// The lowest rung with as many cores; the top when none has.
  int holding(TierSize size) {
    return Math.min(top(), first(rung -> rung.cores() >= size.cores()));
  }
}
