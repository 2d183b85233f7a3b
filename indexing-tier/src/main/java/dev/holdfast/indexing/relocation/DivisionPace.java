package dev.holdfast.indexing.relocation;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.world.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// For how long writes to an index go on between two divisions of its shards (decision 031),
/// whichever nodes divide them: so many times what the last division of the index on this node
/// took, or of another where this is the first. A node that has divided none yet does not wait.
final class DivisionPace {
  /// Nothing is waited for longer.
  private static final Duration WAIT_MAX = Duration.ofMinutes(2);

  private static final Duration SHUT_FIRST = Duration.ofSeconds(1);
  private static final int DOUBLINGS_MAX = 10;

  /// Indices of which nobody may have heard for long are forgotten when there are more.
  private static final int INDICES_MAX = 1_000;

  private final Clock clock;
  private final int factor;
  private final Map<IndexId, Seen> seen = new ConcurrentHashMap<>();

  /// How often divisions of an index were given up since the last that was made here.
  private final Map<IndexId, Integer> givenUp = new ConcurrentHashMap<>();

  private final Map<IndexId, Long> tookNanos = new ConcurrentHashMap<>();

  /// Of whatever index.
  private volatile long lastNanos;

  /// @param shards that an index had
  /// @param sinceNanos when that was noticed here
  private record Seen(int shards, long sinceNanos) {}

  /// @param factor how much longer than a division writes go on
  DivisionPace(Clock clock, int factor) {
    this.clock = clock;
    this.factor = factor;
  }

  /// Whether an index that got its newest shard just now is to be left alone for some time. Asked
  /// again and again by the owner of the shard that is divided next.
  ///
  /// @param shards that it has
  boolean isTooSoon(IndexId index, int shards) {
    long nowNanos = clock.nanoTime();
    if (seen.size() > INDICES_MAX) {
      seen.clear();
      givenUp.clear();
      tookNanos.clear();
    }
    Seen newest =
        seen.compute(
            index,
            (_, before) ->
                before != null && before.shards == shards ? before : new Seen(shards, nowNanos));
    long waitNanos =
        Math.min(factor * tookNanos.getOrDefault(index, lastNanos), WAIT_MAX.toNanos());
    return nowNanos - newest.sinceNanos < waitNanos;
  }

  /// Whether a division of the index was begun or waited for here: the next one waits, be it the
  /// first of a split.
  boolean knows(IndexId index) {
    return seen.containsKey(index);
  }

  /// How long a division may hold writes up before it is known that it will be made: twice as long
  /// with each that was given up.
  ///
  /// @param max at most
  Duration shutMax(IndexId index, Duration max) {
    int tries = Math.min(givenUp.getOrDefault(index, 0), DOUBLINGS_MAX);
    Duration wanted = SHUT_FIRST.multipliedBy(1L << tries);
    return wanted.compareTo(max) < 0 ? wanted : max;
  }

  /// A shard was not divided, though its writes waited.
  ///
  /// @param shards that the index has
  /// @param nanos for which they did
  void gaveUp(IndexId index, int shards, long nanos) {
    int _ = givenUp.merge(index, 1, Integer::sum);
    seen.put(index, new Seen(shards, clock.nanoTime()));
    note(index, nanos);
  }

  private void note(IndexId index, long nanos) {
    tookNanos.put(index, nanos);
    lastNanos = nanos;
  }

  /// A shard was divided here.
  ///
  /// @param nanos for which its writes waited
  void took(IndexId index, long nanos) {
    givenUp.remove(index);
    note(index, nanos);
  }

  /// An index has all its shards.
  ///
  /// @param shards so many
  void done(IndexId index, int shards) {
    givenUp.remove(index);
    seen.put(index, new Seen(shards, clock.nanoTime()));
  }
}
