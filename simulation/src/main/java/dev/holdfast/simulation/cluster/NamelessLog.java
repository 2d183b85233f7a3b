package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.Operation;
import java.util.ArrayList;
import java.util.List;

/// A log that does not say which write its operations are part of.
final class NamelessLog extends ForwardingLog {
  NamelessLog(Log log) {
    super(log);
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
}
