package dev.holdfast.indexing.shard;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/// Reads chunks of commits that are not uploaded, for search nodes: few at once, which bounds the
/// memory that it takes.
public final class ChunkReads {
  private static final int READS_MAX = 32;
  private static final int BYTES_MAX = 1 << 20;

  /// How long a chunk waits for its turn.
  private static final Duration WAIT_MAX = Duration.ofSeconds(5);

  private final World world;
  private final Semaphore permits = new Semaphore(READS_MAX);

  public ChunkReads(World world) {
    this.world = world;
  }

  /// @param length wanted; it may be given less
  /// @throws Refusal when others keep it waiting for too long
  public Optional<byte[]> read(IndexingShard shard, BlobId blob, long offset, int length)
      throws IOException {
    try {
      if (!world.sleeper().acquire(permits, WAIT_MAX)) {
        throw new Refusal(
            ErrorType.REJECTED_EXECUTION, "too many chunks are being read [max=" + READS_MAX + "]");
      }
      try {
        return shard.chunk(blob, offset, Math.min(length, BYTES_MAX));
      } finally {
        permits.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a chunk waited for its turn");
    }
  }
}
