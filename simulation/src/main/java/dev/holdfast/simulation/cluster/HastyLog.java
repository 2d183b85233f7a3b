package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.simulation.schedule.Scheduler;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A log that lets refreshes, or answers, go on before what they show is durable.
record HastyLog(Log log, Scheduler scheduler, boolean tells) implements Log {
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
    if (tells || !scheduler.running().name().equals("refresh")) {
      log.await(ticket);
    }
  }

  @Override
  public boolean await(Ticket ticket, Duration max) throws IOException, InterruptedException {
    return tells || log.await(ticket, max);
  }

  @Override
  public boolean isDurable(Ticket ticket) {
    return tells || log.isDurable(ticket);
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
