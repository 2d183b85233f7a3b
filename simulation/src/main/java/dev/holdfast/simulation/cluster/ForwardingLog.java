package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/// A log that passes on what its subclasses do not change.
abstract class ForwardingLog implements Log {
  final Log log;

  ForwardingLog(Log log) {
    this.log = log;
  }

  @Override
  public void requireRoom() {
    log.requireRoom();
  }

  @Override
  public Ticket append(ShardId shard, long term, List<? extends Operation> operations) {
    return log.append(shard, term, operations);
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
  public void hurry() {
    log.hurry();
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
  public SortedMap<Long, SortedSet<String>> files() {
    return log.files();
  }

  @Override
  public void deletable(long belowOrdinal) {
    log.deletable(belowOrdinal);
  }
}
