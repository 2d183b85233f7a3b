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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

  /// Other shards that some of it was sent to.
  private final Set<ShardId> others = new HashSet<>();

  RoutedWrite(RoutedIndexing routes, ShardId shard, List<WriteOperation> operations) {
    this.routes = routes;
    this.shard = shard;
    this.operations = operations;
    this.results = new WriteResult[operations.size()];
    this.startNanos = routes.nowNanos();
    this.max = Patience.SHARD.atMost(RoutedIndexing.WAIT_MAX);
  }

  List<WriteResult> run() throws IOException, InterruptedException {
    WriteOrigin origin = routes.numbers().begin(shard, routes.divided().sources(shard));
    try {
      return run(WriteAttempt.first(origin));
    } finally {
      others.forEach(other -> routes.divided().ended(shard, other));
      routes.numbers().end(shard, origin);
    }
  }

  private List<WriteResult> run(WriteAttempt first) throws IOException, InterruptedException {
    WriteAttempt attempt = first;
    List<Integer> left = IntStream.range(0, operations.size()).boxed().toList();
    while (true) {
      Exception why = null;
      List<Integer> again = new ArrayList<>();
      // Some may belong to other shards by now.
      for (Map.Entry<ShardId, List<Integer>> place :
          routes.divided().places(shard, operations, left).entrySet()) {
        Exception failed = write(place.getKey(), attempt, place.getValue(), again);
        why = failed == null ? why : failed;
      }
      if (again.isEmpty()) {
        return Arrays.stream(results).map(Objects::requireNonNull).toList();
      }
      again.sort(null);
      left = again;
      attempt = attempt.next();
      try {
        routes.pause(shard, startNanos, max, why);
      } catch (Refusal e) {
        return endWith(e, left);
      }
    }
  }

  /// Sends some to the shard that has their documents.
  ///
  /// @param again gets what is to be sent again
  /// @return why, as far as that is known
  /// @throws Refusal when all are refused
  private @Nullable Exception write(
      ShardId place, WriteAttempt attempt, List<Integer> wanted, List<Integer> again)
      throws InterruptedException {
    if (!place.equals(shard) && others.add(place)) {
      routes.divided().diverted(shard, place);
    }
    ShardOwner owner = routes.writeOwner(place);
    Exception why = null;
    if (owner != null) {
      try {
        again.addAll(write(owner, place, attempt, wanted));
        return null;
      } catch (UnreachableException e) {
        why = e;
      } catch (Refusal e) {
        if (!routes.mayPass(shard, e)) {
          refuse(e, wanted);
          return null;
        }
        why = e; // it may have failed in the middle
      } catch (IOException e) {
        why = e; // it failed after it had begun: in the log, or not
      }
    }
    again.addAll(wanted);
    return why;
  }

  /// The same attempt as it is named to a shard that it was not meant for.
  private WriteAttempt named(WriteAttempt attempt, ShardId place) {
    if (place.equals(shard)) {
      return attempt;
    }
    List<ShardId> others = new ArrayList<>(routes.divided().sources(place));
    others.add(place);
    return new WriteAttempt(
        routes.numbers().at(attempt.origin(), others), attempt.number(), attempt.ordinals());
  }

  /// Sends what is left, and returns what is left then: refused because the shard went away in the
  /// middle, or by an owner that has not heard of a block's end.
  private List<Integer> write(
      ShardOwner owner, ShardId place, WriteAttempt sent, List<Integer> wanted)
      throws IOException, InterruptedException {
    boolean isAll = wanted.size() == operations.size();
    WriteAttempt attempt = named(sent, place);
    List<WriteResult> answers =
        owner.write(
            place,
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
    refuse(why, left);
    return Arrays.stream(results).map(Objects::requireNonNull).toList();
  }

  private void refuse(Refusal why, List<Integer> some) {
    if (some.size() == operations.size()) {
      throw why;
    }
    for (int i : some) {
      results[i] = new WriteResult.Refused(operations.get(i).id(), why);
    }
  }
}
