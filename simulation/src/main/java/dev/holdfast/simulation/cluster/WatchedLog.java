package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.Operation;
import java.util.List;

/// A log that tells the [StoreWatch] which shards have operations in which file.
final class WatchedLog extends ForwardingLog {
  private final String nodeEphemeralId;
  private final StoreWatch watch;

  WatchedLog(Log log, String nodeEphemeralId, StoreWatch watch) {
    super(log);
    this.nodeEphemeralId = nodeEphemeralId;
    this.watch = watch;
  }

  @Override
  public Ticket append(ShardId shard, long term, List<? extends Operation> operations) {
    Ticket ticket = log.append(shard, term, operations);
    watch.logged(nodeEphemeralId, ticket.ordinal(), shard);
    return ticket;
  }
}
