package dev.holdfast.indexing.node;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The room that is left on the disk of this node's shards. Writes are refused while there is some,
/// so that what was written before can be committed and read; they are taken again once there is
/// more.
public final class DiskRoom {
  /// Writes are refused while less is free, or less than a [#FLOOR_SHARE]th of the disk.
  private static final long FLOOR_BYTES_MAX = 256L << 20;

  private static final long FLOOR_SHARE = 20;

  /// The file system is asked so often at most.
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final Clock clock;
  private final Path folder;
  private volatile @Nullable Seen seen;

  private record Seen(long nanos, long free, long floor) {
    boolean isLow() {
      return free < floor;
    }
  }

  /// @param folder of which the parent exists
  public DiskRoom(Clock clock, Path folder) {
    this.clock = clock;
    this.folder = folder.toAbsolutePath();
  }

  /// Checks, before anything is changed, that a write may need disk.
  ///
  /// @throws Refusal `cluster_block_exception` (429)
  public void require(ShardId shard) {
    Seen now = look();
    if (now.isLow()) {
      throw refusal(shard, "free_bytes=" + now.free + ", wanted_bytes=" + now.floor, null);
    }
  }

  /// What lacks, when writes are refused.
  public Optional<String> shortage() {
    Seen now = look();
    return now.isLow()
        ? Optional.of(
            "the disk is full [free_bytes="
                + now.free
                + ", wanted_bytes="
                + now.floor
                + ", folder="
                + folder
                + "]")
        : Optional.empty();
  }

  /// Whether there is no room for writes.
  public boolean isLow() {
    return look().isLow();
  }

  /// What clients are told of a shard that lacks room.
  public Refusal refusal(ShardId shard, String detail, @Nullable Throwable cause) {
    return new Refusal(
        ErrorType.CLUSTER_BLOCK_FOR_NOW,
        "index ["
            + shard.index().name()
            + "] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index"
            + " has read-only-allow-delete block]: the disk of the node that owns shard "
            + shard
            + " is full, make room there ["
            + detail
            + ", folder="
            + folder
            + "]",
        cause);
  }

  /// Whether a failure comes down to a full disk.
  public static boolean isFull(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException && isSaidOf(String.valueOf(cause.getMessage()))) {
        return true;
      }
    }
    return false;
  }

  /// Java has no type for it.
  private static boolean isSaidOf(String message) {
    return message.contains("No space left") || message.contains("quota exceeded");
  }

  private Seen look() {
    long now = clock.nanoTime();
    Seen last = seen;
    if (last != null && now - last.nanos < FRESH.toNanos()) {
      return last;
    }
    Seen newest = new Seen(now, Long.MAX_VALUE, 0);
    try {
      FileStore disk = Files.getFileStore(existing());
      long floor = Math.min(FLOOR_BYTES_MAX, disk.getTotalSpace() / FLOOR_SHARE);
      newest = new Seen(now, disk.getUsableSpace(), floor);
    } catch (IOException | UnsupportedOperationException e) {
      // A file system that does not say: writes fail when it is full.
    }
    seen = newest;
    return newest;
  }

  private Path existing() {
    Path parent = folder.getParent();
    return Files.exists(folder) || parent == null ? folder : parent;
  }
}
