package dev.holdfast.node.routing;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.indexing.Elsewhere;
import dev.holdfast.indexing.IndexingShards;
import dev.holdfast.indexing.WriteAttempt;
import dev.holdfast.indexing.WriteOperation;
import dev.holdfast.indexing.WriteResult;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Network.UnreachableException;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One request's writes to one shard, brought to its owner, whoever that is by then. When it is
/// unknown whether an owner did them, they are done again so that no document comes twice: an id
/// that the server made is looked up first.
final class RoutedWrite {
  private final RoutedIndexing routes;
  private final ShardId shard;
  private final long startNanos;

  private WriteAttempt attempt;

  /// Some owner may have done all this already.
  private boolean mayBeDone;

  RoutedWrite(RoutedIndexing routes, ShardId shard) {
    this.routes = routes;
    this.shard = shard;
    this.startNanos = routes.nowNanos();
    this.attempt = routes.firstAttempt();
  }

  List<WriteResult> run(List<WriteOperation> operations) throws IOException, InterruptedException {
    @Nullable WriteResult[] results = new WriteResult[operations.size()];
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      left.add(i);
    }
    while (true) {
      Exception why = null;
      IndexingShards owner = routes.owner(shard, attempt);
      if (owner != null) {
        try {
          left = writeOnce(owner, operations, left, results);
          if (left.isEmpty()) {
            List<WriteResult> done = new ArrayList<>();
            for (WriteResult result : results) {
              done.add(Objects.requireNonNull(result));
            }
            return done;
          }
        } catch (UnreachableException e) {
          mayBeDone |= e.mayHaveArrived();
          why = e;
        } catch (Refusal e) {
          if (!RoutedIndexing.mayPass(e)) {
            throw e;
          }
          mayBeDone |= !Elsewhere.is(e); // it may have failed in the middle
          why = e;
        } catch (IOException e) {
          mayBeDone = true; // it failed after it had begun: in the log, or not
          why = e;
        }
      }
      attempt = attempt.next();
      routes.pause(shard, startNanos, why);
    }
  }

  /// Returns what is still to be done: refused because the shard went away in the middle.
  private List<Integer> writeOnce(
      IndexingShards owner,
      List<WriteOperation> operations,
      List<Integer> wanted,
      @Nullable WriteResult[] results)
      throws IOException, InterruptedException {
    List<WriteOperation> sent = new ArrayList<>(wanted.size());
    for (int i : wanted) {
      WriteOperation operation = operations.get(i);
      sent.add(mayBeDone && operation.isAutoId() ? lookedUp(operation) : operation);
    }
    List<WriteResult> answers = owner.write(shard, sent);
    List<Integer> left = new ArrayList<>();
    for (int j = 0; j < wanted.size(); j++) {
      WriteResult answer = answers.get(j);
      WriteOperation operation = operations.get(wanted.get(j));
      if (answer instanceof WriteResult.Refused refused) {
        if (RoutedIndexing.mayPass(refused.refusal())) {
          mayBeDone |= !Elsewhere.is(refused.refusal());
          left.add(wanted.get(j));
          continue;
        }
        if (mayBeDone
            && operation.isAutoId()
            && refused.refusal().type() == ErrorType.VERSION_CONFLICT) {
          answer = earlier(owner, operation, answer);
        }
      }
      results[wanted.get(j)] = answer;
    }
    return left;
  }

  /// The same, but not where the id is there already.
  private static WriteOperation lookedUp(WriteOperation operation) {
    return new WriteOperation(
        operation.position(),
        WriteOperation.Kind.CREATE,
        operation.id(),
        false,
        operation.routing(),
        operation.bytes(),
        operation.offset(),
        operation.length(),
        operation.condition(),
        operation.retryOnConflict(),
        operation.dynamicTemplates());
  }

  /// The result of the earlier attempt, which did it.
  private WriteResult earlier(IndexingShards owner, WriteOperation operation, WriteResult refused)
      throws IOException {
    RealTimeDocument found = owner.get(shard, operation.id());
    return found.exists()
        ? new WriteResult.Done(
            operation.id(),
            WriteResult.Effect.CREATED,
            found.seqNo(),
            found.primaryTerm(),
            found.version(),
            null)
        : refused;
  }
}
