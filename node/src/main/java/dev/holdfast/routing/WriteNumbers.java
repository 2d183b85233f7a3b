package dev.holdfast.routing;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.translog.WriteOrigin;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Numbers the writes that this node routes, and knows those that have not ended: with every write
/// goes the oldest of them, so that owners forget what became of all before it.
final class WriteNumbers {
  private final long node;
  private final AtomicLong last = new AtomicLong();

  /// Of shards with writes under way.
  private final Map<ShardId, TreeSet<Long>> underWay = new ConcurrentHashMap<>();

  /// @param ephemeralId of this node
  WriteNumbers(String ephemeralId) {
    this.node = WriteOrigin.node(ephemeralId);
  }

  /// A write begins.
  ///
  /// @param sources shards that had the shard's documents before: writes that were meant for them
  ///   may be sent to it, too
  WriteOrigin begin(ShardId shard, List<ShardId> sources) {
    return at(begin(shard), sources);
  }

  /// The same write as it is sent to a shard that others name as well: none that may still be sent
  /// there is older than what it says.
  ///
  /// @param shards that writes under way to that shard may have been meant for
  WriteOrigin at(WriteOrigin origin, List<ShardId> shards) {
    long oldest = origin.oldest();
    for (ShardId shard : shards) {
      oldest = Math.min(oldest, oldest(shard));
    }
    return oldest == origin.oldest()
        ? origin
        : new WriteOrigin(origin.node(), origin.number(), oldest);
  }

  /// The oldest under way; the largest number when there is none. Taken after the number of who
  /// asks: what is missed has a later one.
  private long oldest(ShardId shard) {
    long[] oldest = {Long.MAX_VALUE};
    var _ =
        underWay.computeIfPresent(
            shard,
            (_, numbers) -> {
              oldest[0] = numbers.first();
              return numbers;
            });
    return oldest[0];
  }

  private WriteOrigin begin(ShardId shard) {
    WriteOrigin[] origin = new WriteOrigin[1];
    var _ =
        underWay.compute(
            shard,
            (_, before) -> {
              TreeSet<Long> numbers = before == null ? new TreeSet<>() : before;
              long number = last.incrementAndGet();
              numbers.add(number);
              origin[0] = new WriteOrigin(node, number, numbers.first());
              return numbers;
            });
    return origin[0];
  }

  /// It was answered, or is given up: it is not sent again.
  void end(ShardId shard, WriteOrigin origin) {
    var _ =
        underWay.computeIfPresent(
            shard,
            (_, numbers) -> {
              numbers.remove(origin.number());
              return numbers.isEmpty() ? null : numbers;
            });
  }

  int underWay() {
    return underWay.values().stream().mapToInt(TreeSet::size).sum();
  }
}
