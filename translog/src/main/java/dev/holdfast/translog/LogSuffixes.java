package dev.holdfast.translog;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Suffix;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// The ends of log files, read once for all shards that recover from a log at the same time, and
/// forgotten when none does.
final class LogSuffixes {
  /// Enough for the directory of some hundred shards, and for whole small files.
  static final int SUFFIX_BYTES = 64 << 10;

  /// What is kept; beyond it each shard reads for itself.
  private static final long KEPT_BYTES_MAX = 16 << 20;

  private final ObjectStore store;

  // All guarded by this.
  private final Map<String, CompletableFuture<Suffix>> kept = new HashMap<>();
  private long keptBytes;
  private int replays;

  LogSuffixes(ObjectStore store) {
    this.store = store;
  }

  /// A replay begins; [#end] must be called once for each.
  synchronized void begin() {
    replays++;
  }

  synchronized void end() {
    replays--;
    if (replays == 0) {
      kept.clear();
      keptBytes = 0;
    }
  }

  Suffix get(String key) throws IOException {
    CompletableFuture<Suffix> own = new CompletableFuture<>();
    CompletableFuture<Suffix> other = reserve(key, own);
    if (other != null) {
      try {
        return other.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while a log was being read", e);
      } catch (ExecutionException e) {
        return store.getSuffix(key, SUFFIX_BYTES); // its reader failed: our own try
      }
    }
    try {
      Suffix suffix = store.getSuffix(key, SUFFIX_BYTES);
      read(key, own, suffix);
      own.complete(suffix);
      return suffix;
    } catch (IOException | RuntimeException | Error e) {
      forget(key, own);
      own.completeExceptionally(e);
      throw e;
    }
  }

  private synchronized @Nullable CompletableFuture<Suffix> reserve(
      String key, CompletableFuture<Suffix> own) {
    return kept.putIfAbsent(key, own);
  }

  private synchronized void read(String key, CompletableFuture<Suffix> own, Suffix suffix) {
    if (keptBytes + suffix.bytes().length > KEPT_BYTES_MAX) {
      forget(key, own);
    } else {
      keptBytes += suffix.bytes().length;
    }
  }

  private synchronized void forget(String key, CompletableFuture<Suffix> own) {
    kept.remove(key, own);
  }
}
