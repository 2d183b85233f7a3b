package dev.holdfast.routing;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.call.ShardOwner;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.translog.WriteOrigin;
import dev.holdfast.world.Network.UnreachableException;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.concurrent.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One request's writes to one shard, brought to its owner, whoever that is by then. When it is
/// unknown whether an owner did them, they are sent again under the same name: whoever owns the
/// shard then knows what was done, and answers that (decision 016).
final class RoutedWrite {
  private final RoutedIndexing routes;
  private final ShardId shard;
  private final List<WriteOperation> operations;
  private final @Nullable WriteResult[] results;
  private final long startNanos;
  private final Duration max;

  RoutedWrite(RoutedIndexing routes, ShardId shard, List<WriteOperation> operations) {
    this.routes = routes;
    this.shard = shard;
    this.operations = operations;
    this.results = new WriteResult[operations.size()];
    this.startNanos = routes.nowNanos();
    this.max = Patience.SHARD.atMost(RoutedIndexing.WAIT_MAX);
  }

  List<WriteResult> run() throws IOException, InterruptedException {
    WriteOrigin origin = routes.numbers().begin(shard);
    try {
      return run(WriteAttempt.first(origin));
    } finally {
      routes.numbers().end(shard, origin);
    }
  }

  private List<WriteResult> run(WriteAttempt first) throws IOException, InterruptedException {
    WriteAttempt attempt = first;
    List<Integer> left = IntStream.range(0, operations.size()).boxed().toList();
    while (true) {
      Exception why = null;
      ShardOwner owner = routes.writeOwner(shard);
      if (owner != null) {
        try {
          left = write(owner, attempt, left);
          if (left.isEmpty()) {
            return Arrays.stream(results).map(Objects::requireNonNull).toList();
          }
        } catch (UnreachableException e) {
          why = e;
        } catch (Refusal e) {
          if (!routes.mayPass(shard, e)) {
            return endWith(e, left);
          }
          why = e; // it may have failed in the middle
        } catch (IOException e) {
          why = e; // it failed after it had begun: in the log, or not
        }
      }
      attempt = attempt.next();
      try {
        routes.pause(shard, startNanos, max, why);
      } catch (Refusal e) {
        return endWith(e, left);
      }
    }
  }

  /// Sends what is left, and returns what is left then: refused because the shard went away in the
  /// middle, or by an owner that has not heard of a block's end.
  private List<Integer> write(ShardOwner owner, WriteAttempt attempt, List<Integer> wanted)
      throws IOException, InterruptedException {
    boolean isAll = wanted.size() == operations.size();
    List<WriteResult> answers =
        owner.write(
            shard,
            isAll ? attempt : attempt.at(wanted),
            isAll ? operations : wanted.stream().map(operations::get).toList());
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      WriteResult answer = answers.get(i);
      if (answer instanceof WriteResult.Refused refused
          && routes.mayPass(shard, refused.refusal())) {
        left.add(wanted.get(i));
      } else {
        results[wanted.get(i)] = answer;
      }
    }
    return left;
  }

  /// What has been answered stands; the rest is refused.
  private List<WriteResult> endWith(Refusal why, List<Integer> left) {
    if (left.size() == operations.size()) {
      throw why;
    }
    for (int i : left) {
      results[i] = new WriteResult.Refused(operations.get(i).id(), why);
    }
    return Arrays.stream(results).map(Objects::requireNonNull).toList();
  }
}
