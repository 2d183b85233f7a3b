package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A log that does not say which write its operations are part of.
record NamelessLog(Log log) implements Log {
  @Override
  public void requireRoom() {
    log.requireRoom();
  }

  @Override
  public Ticket append(ShardId shard, long term, List<? extends Operation> operations) {
    List<Operation> nameless = new ArrayList<>(operations.size());
    for (Operation operation : operations) {
      nameless.add(
          switch (operation) {
            case Operation.Index index ->
                new Operation.Index(
                    index.seqNo(),
                    index.version(),
                    index.id(),
                    index.routing(),
                    index.isAppend(),
                    index.bytes(),
                    index.offset(),
                    index.length(),
                    Operation.Sent.ONCE);
            case Operation.Delete delete ->
                new Operation.Delete(
                    delete.seqNo(), delete.version(), delete.id(), Operation.Sent.ONCE);
          });
    }
    return log.append(shard, term, nameless);
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
  public LogBounds bounds(Map<ShardId, Long> releasing) {
    return log.bounds(releasing);
  }

  @Override
  public void deletable(long belowOrdinal) {
    log.deletable(belowOrdinal);
  }

  @Override
  public void release(ShardId shard, long ordinal) {
    log.release(shard, ordinal);
  }
}
