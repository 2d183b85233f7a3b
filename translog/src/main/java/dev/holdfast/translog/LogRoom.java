package dev.holdfast.translog;

import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Whether the log takes more: not while too many bytes wait, nor while the store has been silent,
/// or refusing, for long, nor once it is closed.
final class LogRoom {
  private final World world;
  private final ObjectStore store;
  private final Ownership ownership;
  private final LogConfig config;

  LogRoom(World world, ObjectStore store, Ownership ownership, LogConfig config) {
    this.world = world;
    this.store = store;
    this.ownership = ownership;
    this.config = config;
  }

  /// @param oldest file in flight, and since when by the monotonic clock; null for none
  /// @param bufferedBytes not durable yet
  /// @param isHeld whether a file waits for money
  /// @throws Refusal as [Log#requireRoom] says
  void require(
      boolean isClosed,
      Map.@Nullable Entry<Long, Long> oldest,
      long bufferedBytes,
      boolean isHeld) {
    if (isClosed) {
      throw new Refusal(ErrorType.NODE_CLOSED, "the node is stopping");
    }
    if (oldest != null) {
      requireAnswer(oldest, bufferedBytes);
    }
    if (isHeld && bufferedBytes > config.heldBytesMax().bytes()) {
      throw rejected(
          "gets no more requests than its budget allows [store.budget]",
          bufferedBytes,
          config.heldBytesMax());
    }
    if (bufferedBytes > config.bufferedBytesMax().bytes()) {
      throw rejected("is slower than the writes", bufferedBytes, config.bufferedBytesMax());
    }
  }

  private void requireAnswer(Map.Entry<Long, Long> oldest, long bufferedBytes) {
    Duration waited = Duration.ofNanos(world.clock().nanoTime() - oldest.getValue());
    if (waited.compareTo(config.refusedMax()) <= 0) {
      return;
    }
    Optional<StoreTrouble> trouble =
        store.trouble(LogFile.key(ownership.nodeEphemeralId(), oldest.getKey()));
    boolean isSilent = waited.compareTo(config.silenceMax()) > 0;
    if (trouble.isPresent() && (isSilent || trouble.get().failure().isRefusal())) {
      throw trouble.get().refusal(waited);
    }
    if (isSilent) {
      throw rejected("does not answer", bufferedBytes, config.bufferedBytesMax());
    }
  }

  private static Refusal rejected(String why, long bufferedBytes, ByteSize limit) {
    return new Refusal(
        ErrorType.REJECTED_EXECUTION,
        "rejected execution: the object store "
            + why
            + ", retry later [translog_buffered_bytes="
            + bufferedBytes
            + ", limit="
            + limit.bytes()
            + "]");
  }
}
