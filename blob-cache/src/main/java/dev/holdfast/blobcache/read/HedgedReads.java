package dev.holdfast.blobcache.read;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.stats.CacheCounters;
import dev.holdfast.blobcache.stats.Latencies;
import dev.holdfast.objectstore.GivingUp;
import dev.holdfast.world.World;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/// Reads blobs; a read that takes longer than 95 of 100 others is sent a second time, and the first
/// answer counts. Second requests are a bounded share of all, so that a slow store is not asked
/// twice for everything.
public final class HedgedReads {
  private static final Duration WAIT_MAX = Duration.ofMinutes(2);

  /// Reads up to this size are compared with each other, larger ones with larger ones.
  private static final int SMALL_BYTES_MAX = 512 << 10;

  private final World world;
  private final double share;
  private final CacheCounters counters;
  private final Latencies small = new Latencies();
  private final Latencies large = new Latencies();

  public HedgedReads(World world, double share, CacheCounters counters) {
    this.world = world;
    this.share = share;
    this.counters = counters;
  }

  byte[] read(Blob blob, long offset, int length) throws IOException {
    counters.fetches.increment();
    Latencies latencies = length <= SMALL_BYTES_MAX ? small : large;
    long startNanos = world.clock().nanoTime();
    long patienceNanos = share > 0 ? latencies.p95Nanos() : Latencies.UNKNOWN;
    byte[] bytes =
        patienceNanos == Latencies.UNKNOWN
            ? blob.read(offset, length)
            : hedged(blob, offset, length, patienceNanos);
    latencies.add(world.clock().nanoTime() - startNanos);
    counters.bytesFetched.add(bytes.length);
    return bytes;
  }

  private byte[] hedged(Blob blob, long offset, int length, long patienceNanos) throws IOException {
    Answer answer = new Answer();
    answer.ask(() -> blob.read(offset, length));
    try {
      return world.sleeper().get(answer.bytes, Duration.ofNanos(patienceNanos));
    } catch (TimeoutException slow) {
      if (mayHedge()) {
        counters.hedges.increment();
        answer.ask(() -> {
          byte[] bytes = blob.read(offset, length);
          if (!answer.bytes.isDone()) {
            counters.hedgesWon.increment();
          }
          return bytes;
        });
      }
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    while (true) {
      try {
        return world.sleeper().get(answer.bytes, WAIT_MAX);
      } catch (TimeoutException e) {
        if (!blob.isTriedForever() || GivingUp.isDue()) {
          throw new IOException(
              "read takes too long [key=" + blob.key() + ", at=" + offset + "]", e);
        }
      } catch (ExecutionException e) {
        throw failure(e);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
  }

  private boolean mayHedge() {
    return counters.hedges.sum() < share * counters.fetches.sum();
  }

  private static IOException failure(ExecutionException e) {
    return e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return (IOException) new InterruptedIOException("interrupted in a read").initCause(e);
  }

  private interface Read {
    byte[] read() throws IOException;
  }

  /// The first success of all that were asked; the failure of the last, when all failed.
  private final class Answer {
    final CompletableFuture<byte[]> bytes = new CompletableFuture<>();
    private final AtomicInteger waiting = new AtomicInteger();

    void ask(Read read) {
      ScopedValue.CallableOp<? extends byte[], IOException> patient =
          GivingUp.<byte[], IOException>handedOn(read::read);
      int _ = waiting.incrementAndGet();
      var _ =
          world
              .tasks()
              .start(
                  "blob-read",
                  () -> {
                    try {
                      bytes.complete(patient.call());
                      int _ = waiting.decrementAndGet();
                    } catch (IOException | RuntimeException | Error e) {
                      if (waiting.decrementAndGet() == 0) {
                        bytes.completeExceptionally(e);
                      }
                    }
                  });
    }
  }
}
