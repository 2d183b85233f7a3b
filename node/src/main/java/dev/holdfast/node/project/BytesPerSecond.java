package dev.holdfast.node.project;

import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.time.Duration;
import java.util.function.LongConsumer;

/// Lets so many bytes of requests in each second. A request that finds any left comes in whole, so
/// that one larger than a second's comes in at all; those behind it wait until that is paid.
final class BytesPerSecond {
  /// What was not used is kept for so long.
  private static final double SECONDS_KEPT = 1;

  /// A longer body would hold its file, and its client, for longer than anybody waits.
  private static final long SECONDS_OF_BODY_MAX = 60;

  private static final Duration LOOK = Duration.ofMillis(50);

  private final Clock clock;
  private final String project;
  private final long perSecond;
  private double left;
  private long filledNanos;

  /// @param perSecond 0 for as many as come
  BytesPerSecond(Clock clock, String project, long perSecond) {
    this.clock = clock;
    this.project = project;
    this.perSecond = perSecond;
    left = perSecond * SECONDS_KEPT;
    filledNanos = clock.nanoTime();
  }

  /// @throws Refusal `es_rejected_execution_exception` (429); `content_too_long_exception` (413)
  ///   for what is longer than a minute's
  synchronized void take(long bytes) {
    if (perSecond == 0 || bytes == 0) {
      return;
    }
    if (bytes / SECONDS_OF_BODY_MAX > perSecond) {
      throw new Refusal(
          ErrorType.CONTENT_TOO_LARGE,
          "project ["
              + project
              + "] may send ["
              + perSecond
              + "] bytes a second (its limit [bulk_bytes_per_second]), and no body of more than ["
              + SECONDS_OF_BODY_MAX
              + "s] of it: send ["
              + bytes
              + "] bytes in smaller requests");
    }
    requireAny();
    left -= bytes;
  }

  /// @throws Refusal `es_rejected_execution_exception` (429) while those before it are not paid
  synchronized void requireAny() {
    if (perSecond == 0) {
      return;
    }
    long now = clock.nanoTime();
    left = Math.min(perSecond * SECONDS_KEPT, left + (now - filledNanos) / 1e9 * perSecond);
    filledNanos = now;
    if (left <= 0) {
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "rejected execution: project ["
              + project
              + "] may send ["
              + perSecond
              + "] bytes a second (its limit [bulk_bytes_per_second]), retry in ["
              + Math.max(1, Math.round(Math.ceil(-left / perSecond)))
              + "s]");
    }
  }

  /// For one that is longer than a second's, which has come in: tells how far it is read, and waits
  /// where that is faster than it may be. So it takes the threads of the project little by little.
  LongConsumer pace(World world) {
    long beganNanos = clock.nanoTime();
    return position -> {
      if (perSecond == 0) {
        return;
      }
      try {
        boolean _ =
            Await.until(
                world,
                Duration.ofSeconds(position / perSecond + 1),
                LOOK,
                () -> {
                  StopSignal.lookForCancelling();
                  double seconds = SECONDS_KEPT + (clock.nanoTime() - beganNanos) / 1e9;
                  return position <= perSecond * seconds;
                });
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Refusal(ErrorType.NODE_CLOSED, "this node is being stopped", e);
      }
    };
  }
}
