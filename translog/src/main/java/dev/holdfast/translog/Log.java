package dev.holdfast.translog;

import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.ShardId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/// The log of this node as a shard uses it.
public interface Log {
  /// Checks, before anything is changed, that the log can take more.
  ///
  /// @throws dev.holdfast.world.Refusal `es_rejected_execution_exception` (429) when too many bytes
  ///   wait, or the store does not answer; `unavailable_shards_exception` (503) when it refuses;
  ///   `cluster_block_exception` (429) when it is full; `node_closed_exception` (503) when this log
  ///   is closed
  void requireRoom();

  /// Adds operations of one shard to the file being filled; returns at once, nothing is durable
  /// yet. The bytes are copied. Never refuses: ask [#requireRoom] before the operations become part
  /// of the shard.
  Ticket append(ShardId shard, long primaryTerm, List<? extends Operation> operations);

  /// Waits until the operations of the ticket, and all before them, are durable in the store under
  /// names that this node still owned: they may be acknowledged.
  ///
  /// @throws EvictedException when this node was fenced, or its log closed before they came:
  ///   nothing may be acknowledged, now or later
  void await(Ticket ticket) throws IOException, InterruptedException;

  /// As [#await(Ticket)], for so long at most.
  ///
  /// @return whether they are durable
  boolean await(Ticket ticket, Duration max) throws IOException, InterruptedException;

  /// Whether the operations of the ticket, and all before them, are known to be durable; costs one
  /// look at what is in memory.
  boolean isDurable(Ticket ticket);

  /// The ordinal of the file being filled: every operation appended from now on lies in this file
  /// or a later one.
  long ordinal();

  /// Writers wait for one another: what is in the file being filled, or comes next, goes as soon as
  /// an upload may begin, though the request budget is spent: now and then, not always.
  void hurry();

  /// A ticket for all that was appended until now.
  Ticket barrier();

  /// The shard needs no file below this ordinal any more. Files that no shard needs are deleted,
  /// oldest first, when [#deletable] allows it.
  void release(ShardId shard, long ordinal);

  /// What the cluster state may be told of this log: which files are in the store, and stay as long
  /// as it is not told otherwise.
  ///
  /// @param releasing as if these shards needed no file below these ordinals any more
  LogBounds bounds(Map<ShardId, Long> releasing);

  /// The files of this log that exist, or will in a moment, by ordinal, and the shards that need
  /// each: a recovery of theirs would begin at it or before it.
  SortedMap<Long, SortedSet<String>> files();

  /// The cluster state knows that files below this ordinal may be missing.
  void deletable(long belowOrdinal);

  /// A place in the log to wait for.
  ///
  /// @param ordinal the file that holds the operations
  record Ticket(long ordinal) {}

  /// This node was evicted from the cluster, or has closed its log: it stops.
  final class EvictedException extends IOException {
    private static final long serialVersionUID = 1L;

    public EvictedException(String message) {
      super(message);
    }
  }
}
