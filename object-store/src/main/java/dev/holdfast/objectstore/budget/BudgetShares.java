package dev.holdfast.objectstore.budget;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Shares a budget out among nodes: what nobody may hold up is paid for first; of the rest nodes
/// whose requests wait get alike, as far as those that need less leave it.
public final class BudgetShares {
  /// A node that holds nothing up may grow by this before it does.
  private static final double GROWTH = 1.5;

  private BudgetShares() {}

  private record Want(String node, double dollars) {}

  /// @param perSecond dollars of all nodes together
  /// @param demands of the nodes that have said theirs
  /// @param writers the nodes with requests that can wait; one that has not said anything may want
  ///   as much as anybody
  /// @return dollars a second by node, of all writers and nobody else
  public static SortedMap<String, Double> of(
      double perSecond, Map<String, Demand> demands, Collection<String> writers) {
    double prompts = demands.values().stream().mapToDouble(Demand::prompt).sum();
    // A moment of many must not be given to writers when it is over: what is missing is owed.
    double covered = prompts > perSecond ? perSecond / prompts : 1;
    double left = Math.max(0, perSecond - prompts);
    List<Want> wants = new ArrayList<>();
    for (String node : writers) {
      Demand demand = demands.get(node);
      double wanted =
          demand == null || demand.isHeld() ? Double.POSITIVE_INFINITY : GROWTH * demand.deferred();
      wants.add(new Want(node, wanted));
    }
    wants.sort(Comparator.comparingDouble(Want::dollars).thenComparing(Want::node));
    SortedMap<String, Double> shares = new TreeMap<>();
    for (int i = 0; i < wants.size(); i++) {
      Want want = wants.get(i);
      double given = Math.min(want.dollars, left / (wants.size() - i));
      left -= given;
      shares.put(want.node, given);
    }
    for (Want want : wants) {
      Demand demand = demands.get(want.node);
      double prompt = demand == null ? 0 : covered * demand.prompt();
      double spare = left / wants.size();
      shares.merge(want.node, prompt + spare, Double::sum);
    }
    return shares;
  }
}
