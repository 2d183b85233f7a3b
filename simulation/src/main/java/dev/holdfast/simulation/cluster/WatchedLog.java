package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A log that tells the [StoreWatch] which shards have operations in which file.
record WatchedLog(Log log, String nodeEphemeralId, StoreWatch watch) implements Log {
  @Override
  public void requireRoom() {
    log.requireRoom();
  }

  @Override
  public Ticket append(ShardId shard, long term, List<? extends Operation> operations) {
    Ticket ticket = log.append(shard, term, operations);
    watch.logged(nodeEphemeralId, ticket.ordinal(), shard);
    return ticket;
  }

  @Override
  public void await(Ticket ticket) throws IOException, InterruptedException {
    log.await(ticket);
  }

  @Override
  public boolean await(Ticket ticket, Duration max) throws IOException, InterruptedException {
    return log.await(ticket, max);
  }

  @Override
  public boolean isDurable(Ticket ticket) {
    return log.isDurable(ticket);
  }

  @Override
  public long ordinal() {
    return log.ordinal();
  }

  @Override
  public Ticket barrier() {
    return log.barrier();
  }

  @Override
  public void release(ShardId shard, long ordinal) {
    log.release(shard, ordinal);
  }

  @Override
  public LogBounds bounds(Map<ShardId, Long> releasing) {
    return log.bounds(releasing);
  }

  @Override
  public void deletable(long belowOrdinal) {
    log.deletable(belowOrdinal);
  }
}
