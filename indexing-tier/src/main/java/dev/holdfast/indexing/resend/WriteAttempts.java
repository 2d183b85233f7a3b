package dev.holdfast.indexing.resend;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.world.Sleeper;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Sees to it that repeated attempts at a write follow each other here: a later one shares the
/// answer of one that is still being done, and one that comes too late does nothing. Otherwise it
/// could undo what its client wrote after the repetition was acknowledged.
public final class WriteAttempts {
  /// Writes of which a repetition came; those before them are forgotten.
  private static final int REPEATED_MAX = 10_000;

  /// How long a repetition waits for an earlier attempt: as long as its caller waits for it.
  static final Duration SHARED_MAX = Duration.ofMinutes(2);

  private final Sleeper sleeper;

  // Both guarded by this.
  private final Map<Name, Running> running = new HashMap<>();
  private final LinkedHashMap<Name, Integer> repeated = new LinkedHashMap<>();

  /// A write.
  private record Name(ShardId shard, long node, long number) {
    static Name of(ShardId shard, WriteAttempt attempt) {
      return new Name(shard, attempt.origin().node(), attempt.origin().number());
    }
  }

  /// An attempt that is being done.
  private record Running(WriteAttempt attempt, CompletableFuture<List<WriteResult>> results) {}

  public WriteAttempts(Sleeper sleeper) {
    this.sleeper = sleeper;
  }

  /// A write.
  @FunctionalInterface
  public interface Writing {
    List<WriteResult> run() throws IOException, InterruptedException;
  }

  /// @throws dev.holdfast.world.Refusal as [ShardNotHere] for an attempt nobody waits for any more
  /// @throws IOException also when an earlier attempt does not end in time
  public List<WriteResult> run(ShardId shard, WriteAttempt attempt, Writing writing)
      throws IOException, InterruptedException {
    if (attempt.origin().isNone()) {
      return writing.run();
    }
    Name name = Name.of(shard, attempt);
    Running own = new Running(attempt, new CompletableFuture<>());
    Running other = begin(name, own);
    while (other != null) {
      boolean isSame = other.attempt.ordinals().equals(attempt.ordinals());
      if (isSame) {
        return shared(other.results);
      }
      awaitEnd(other.results); // it is at other operations of the write
      other = begin(name, own);
    }
    try {
      List<WriteResult> results = writing.run();
      own.results.complete(results);
      return results;
    } catch (Throwable e) {
      own.results.completeExceptionally(e);
      throw e;
    } finally {
      end(name, own);
    }
  }

  private synchronized @Nullable Running begin(Name name, Running own) {
    int number = own.attempt.number();
    if (repeated.getOrDefault(name, 0) > number) {
      throw ShardNotHere.of(name.shard);
    }
    if (number > 1) {
      repeated.put(name, number);
      if (repeated.size() > REPEATED_MAX) {
        var _ = repeated.pollFirstEntry();
      }
    }
    return running.putIfAbsent(name, own);
  }

  private synchronized void end(Name name, Running own) {
    running.remove(name, own);
  }

  private void awaitEnd(CompletableFuture<List<WriteResult>> other)
      throws IOException, InterruptedException {
    try {
      var _ = sleeper.get(other, SHARED_MAX);
    } catch (TimeoutException e) {
      throw new IOException(
          "an earlier attempt at a write does not end [waited=" + SHARED_MAX + "]", e);
    } catch (ExecutionException e) {
      // It ended.
      return;
    }
  }

  private List<WriteResult> shared(CompletableFuture<List<WriteResult>> other)
      throws IOException, InterruptedException {
    try {
      return sleeper.get(other, SHARED_MAX);
    } catch (TimeoutException e) {
      throw new IOException(
          "an earlier attempt at a write does not end [waited=" + SHARED_MAX + "]", e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case RuntimeException runtime -> throw runtime;
        case null, default -> throw new IOException("an earlier attempt failed", e);
      }
    }
  }
}
