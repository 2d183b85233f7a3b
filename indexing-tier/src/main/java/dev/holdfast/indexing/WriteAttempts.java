package dev.holdfast.indexing;

import dev.holdfast.clusterstate.ShardId;
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
final class WriteAttempts {
  /// Writes of which a repetition came; those before them are forgotten.
  private static final int REPEATED_MAX = 10_000;

  /// How long a repetition waits for an earlier attempt: as long as its caller waits for it.
  static final Duration SHARED_MAX = Duration.ofMinutes(2);

  private final Sleeper sleeper;

  // Both guarded by this.
  private final Map<String, CompletableFuture<List<WriteResult>>> running = new HashMap<>();
  private final LinkedHashMap<String, Integer> repeated = new LinkedHashMap<>();

  WriteAttempts(Sleeper sleeper) {
    this.sleeper = sleeper;
  }

  /// A write.
  @FunctionalInterface
  interface Writing {
    List<WriteResult> run() throws IOException, InterruptedException;
  }

  /// @throws dev.holdfast.world.Refusal as [Elsewhere] for an attempt nobody waits for any more
  /// @throws IOException also when an earlier attempt does not end in time
  List<WriteResult> run(ShardId shard, WriteAttempt attempt, Writing writing)
      throws IOException, InterruptedException {
    CompletableFuture<List<WriteResult>> own = new CompletableFuture<>();
    CompletableFuture<List<WriteResult>> other = begin(shard, attempt, own);
    if (other != null) {
      return shared(other);
    }
    try {
      List<WriteResult> results = writing.run();
      own.complete(results);
      return results;
    } catch (Throwable e) {
      own.completeExceptionally(e);
      throw e;
    } finally {
      end(attempt, own);
    }
  }

  private synchronized @Nullable CompletableFuture<List<WriteResult>> begin(
      ShardId shard, WriteAttempt attempt, CompletableFuture<List<WriteResult>> own) {
    if (repeated.getOrDefault(attempt.write(), 0) > attempt.number()) {
      throw Elsewhere.of(shard);
    }
    if (attempt.number() > 1) {
      repeated.put(attempt.write(), attempt.number());
      if (repeated.size() > REPEATED_MAX) {
        var _ = repeated.pollFirstEntry();
      }
    }
    return running.putIfAbsent(attempt.write(), own);
  }

  private synchronized void end(WriteAttempt attempt, CompletableFuture<List<WriteResult>> own) {
    running.remove(attempt.write(), own);
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
