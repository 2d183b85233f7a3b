package dev.holdfast.clusterstate.allocation;

import dev.holdfast.clusterstate.ClusterState;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// What the leader has heard of members that do not reach each other: no state holds it, and the
/// next leader hears it anew.
public final class UnreachablePeers {
  // Guarded by this.
  private final SortedMap<String, SortedSet<String>> unreached = new TreeMap<>();

  /// @param inVain members that this one calls in vain
  public synchronized void heard(String member, SortedSet<String> inVain) {
    if (inVain.isEmpty()) {
      unreached.remove(member);
    } else {
      unreached.put(member, inVain);
    }
  }

  /// By member, those that it does not reach although the leader hears them. One that nobody hears
  /// will be evicted, or come back: it is no reason to move anything.
  public synchronized SortedMap<String, SortedSet<String>> of(
      ClusterState state, Predicate<String> isHeard) {
    unreached.keySet().retainAll(state.members().keySet());
    SortedMap<String, SortedSet<String>> cuts = new TreeMap<>();
    unreached.forEach((member, inVain) -> {
      SortedSet<String> living = new TreeSet<>(inVain);
      living.removeIf(id -> !state.members().containsKey(id) || !isHeard.test(id));
      if (!living.isEmpty()) {
        cuts.put(member, living);
      }
    });
    return cuts;
  }
}
