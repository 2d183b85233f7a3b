package dev.holdfast.indexing.write;

import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.resend.RecentRun;
import dev.holdfast.indexing.resend.RecentWrites;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What an earlier attempt at a write did, told as its answer would have told it.
final class EarlierAttempt {
  private final ShardEngine engine;
  private final WriteAttempt sent;
  private final List<RecentRun> runs;

  /// @param sent the attempt that comes after it
  /// @param runs what was done
  EarlierAttempt(ShardEngine engine, WriteAttempt sent, List<RecentRun> runs) {
    this.engine = engine;
    this.sent = sent;
    this.runs = runs;
  }

  /// Fills in the results of operations that were done. One that was not, though a later one of the
  /// same document was, is refused: doing it now would undo that one.
  void tell(List<WriteOperation> operations, @Nullable WriteResult[] results)
      throws IOException, InterruptedException {
    Set<String> done = new HashSet<>();
    for (int slot = operations.size() - 1; slot >= 0; slot--) {
      WriteOperation operation = operations.get(slot);
      WriteResult.Done result = done(operation, sent.ordinal(slot));
      if (result != null) {
        done.add(operation.id());
        results[slot] = result;
      } else if (done.contains(operation.id())) {
        results[slot] =
            new WriteResult.Refused(
                operation.id(),
                RecentWrites.unknown("a later one of the same request was done before"));
      }
    }
  }

  private WriteResult.@Nullable Done done(WriteOperation operation, int ordinal)
      throws IOException, InterruptedException {
    for (RecentRun run : runs) {
      if (run.holds(ordinal)) {
        WriteResult.Done done = run.done(operation.id(), ordinal);
        boolean isShown = operation.kind() == Kind.UPDATE && !operation.isSourceUnwanted();
        return isShown ? withSource(done) : done;
      }
    }
    return null;
  }

  /// The document that an update made, unless it is another by now.
  private WriteResult.Done withSource(WriteResult.Done done)
      throws IOException, InterruptedException {
    RealTimeDocument now = engine.find(done.id(), null).document();
    return now.exists() && now.seqNo() == done.seqNo()
        ? new WriteResult.Done(
            done.id(),
            done.effect(),
            done.seqNo(),
            done.primaryTerm(),
            done.version(),
            now.source())
        : done;
  }
}
