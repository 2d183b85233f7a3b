package dev.holdfast.autoscaler.replay;

import dev.holdfast.autoscaler.NodeSize;
import dev.holdfast.autoscaler.ScalingPolicy;
import dev.holdfast.autoscaler.SizeDecision;
import dev.holdfast.autoscaler.SizeDecision.Change;
import dev.holdfast.autoscaler.SizeHistory;
import dev.holdfast.autoscaler.SizeLadder;
import dev.holdfast.autoscaler.TierNeeds;
import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.autoscaler.TierSizing;
import java.util.List;
import java.util.SplittableRandom;

/// A day of a load, once with a tier that follows it and once with a fleet that is large enough for
/// its busiest minute.
public final class Replay {
  /// Of each request.
  public static final double LATENCY_GOAL_SECONDS = 1;

  private static final int POLL_SECONDS = 5;
  private static final int NODES_MAX = 40;
  private static final int MINUTE = 60;
  private static final double HOURS = ReplayedLoad.SECONDS / 3600.0;

  private Replay() {}

  /// @param nodeHours paid for
  /// @param fixedNodeHours of the fleet of fixed size
  /// @param slowPart of the time in which requests took longer than the goal
  /// @param fixedSlowPart with the fleet of fixed size
  /// @param turns from growing to shrinking or back, an hour
  /// @param nodesMax at any time
  public record Outcome(
      double nodeHours,
      double fixedNodeHours,
      double slowPart,
      double fixedSlowPart,
      double turns,
      int nodesMax) {
    /// Of the fixed fleet's node-hours.
    public double part() {
      return nodeHours / fixedNodeHours;
    }
  }

  /// @param size of every node
  public static Outcome of(ReplayedLoad load, NodeSize size, ScalingPolicy policy, long seed) {
    double[] arrivals = load.arrivals(new SplittableRandom(seed));
    int fixed = fixedFleet(arrivals, size, policy.use());
    double fixedSlow = slow(arrivals, new ModelTier(size, fixed));
    TierSizing sizing = new TierSizing(SizeLadder.of(List.of(size), 1, NODES_MAX), policy);
    ModelTier tier = new ModelTier(size, 1);
    SizeHistory history = SizeHistory.NONE;
    Change last = Change.NONE;
    long paid = 0;
    int slow = 0;
    int turns = 0;
    int most = 0;
    for (int second = 0; second < arrivals.length; second++) {
      slow += tier.work(arrivals[second], second) > LATENCY_GOAL_SECONDS ? 1 : 0;
      paid += tier.paidNodes();
      most = Math.max(most, tier.paidNodes());
      if (second % POLL_SECONDS == 0) {
        TierNeeds needs = TierNeeds.ofLoad(tier.reports(second));
        SizeDecision decision =
            sizing.decide(needs, new TierSize(1, size), history, second * 1000L);
        history = decision.history();
        tier.become(decision.size().nodes(), second);
        if (decision.change() != Change.NONE) {
          turns += last != Change.NONE && last != decision.change() ? 1 : 0;
          last = decision.change();
        }
      }
    }
    return new Outcome(paid / 3600.0, fixed * HOURS, part(slow), fixedSlow, turns / HOURS, most);
  }

  /// Nodes for the busiest minute, used as much as the decision would have them used.
  private static int fixedFleet(double[] arrivals, NodeSize size, double use) {
    double busiest = 0;
    double sum = 0;
    for (int second = 0; second < arrivals.length; second++) {
      sum += arrivals[second] - (second >= MINUTE ? arrivals[second - MINUTE] : 0);
      busiest = Math.max(busiest, sum / MINUTE);
    }
    return (int) Math.ceil(busiest / (use * size.cores()));
  }

  private static double slow(double[] arrivals, ModelTier tier) {
    int slow = 0;
    for (int second = 0; second < arrivals.length; second++) {
      slow += tier.work(arrivals[second], second) > LATENCY_GOAL_SECONDS ? 1 : 0;
    }
    return part(slow);
  }

  private static double part(int seconds) {
    return seconds / (double) ReplayedLoad.SECONDS;
  }
}
