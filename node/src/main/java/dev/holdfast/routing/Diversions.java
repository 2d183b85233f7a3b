package dev.holdfast.routing;

import dev.holdfast.clusterstate.ShardId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Shards that writes of this node went to which were meant for another: a refresh of the one must
/// show what was written to the other, too. Remembered until a refresh has shown it: all who choose
/// shards later know of the division, as a rule, and refresh what they have written to.
final class Diversions {
  /// By the shard that was meant, then by the number of the other. Guarded by this.
  private final Map<ShardId, SortedMap<Integer, Diversion>> known = new HashMap<>();

  /// Of all that ever were.
  private long count;

  private static final class Diversion {
    private int underWay;
    private long newest;
  }

  /// A shard that was written to instead of another.
  ///
  /// @param newest the newest of these writes
  /// @param isOver whether all of them had ended
  record Seen(ShardId other, long newest, boolean isOver) {}

  /// A write that was meant for one shard goes to another.
  void begin(ShardId meant, ShardId other) {
    synchronized (this) {
      Diversion diversion =
          known
              .computeIfAbsent(meant, _ -> new TreeMap<>())
              .computeIfAbsent(other.number(), _ -> new Diversion());
      diversion.underWay++;
      diversion.newest = ++count;
    }
  }

  /// It has ended: who sent it may ask for a refresh from now on.
  void end(ShardId meant, ShardId other) {
    synchronized (this) {
      SortedMap<Integer, Diversion> all = known.get(meant);
      Diversion diversion = all == null ? null : all.get(other.number());
      if (diversion != null) {
        diversion.underWay--;
      }
    }
  }

  /// The shards that a refresh of one is to be of, too.
  List<Seen> of(ShardId meant) {
    synchronized (this) {
      SortedMap<Integer, Diversion> all = known.get(meant);
      return all == null
          ? List.of()
          : all.entrySet().stream()
              .map(one ->
                  new Seen(
                      new ShardId(meant.index(), one.getKey()),
                      one.getValue().newest,
                      one.getValue().underWay == 0))
              .toList();
    }
  }

  /// A refresh that began after this was seen has shown all that was written by then.
  void shown(ShardId meant, Seen seen) {
    synchronized (this) {
      SortedMap<Integer, Diversion> all = known.get(meant);
      Diversion diversion = all == null ? null : all.get(seen.other.number());
      if (all != null && diversion != null && seen.isOver && diversion.newest == seen.newest) {
        all.remove(seen.other.number());
        if (all.isEmpty()) {
          known.remove(meant);
        }
      }
    }
  }

  /// Those of indices that are gone are forgotten.
  void retain(Predicate<ShardId> isThere) {
    synchronized (this) {
      known.keySet().removeIf(isThere.negate());
    }
  }

  /// Shards that refreshes are of as well.
  int size() {
    synchronized (this) {
      return known.values().stream().mapToInt(Map::size).sum();
    }
  }
}
