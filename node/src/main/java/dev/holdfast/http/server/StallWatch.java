package dev.holdfast.http.server;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Looks now and then whether a body still comes. Belongs to one event loop.
final class StallWatch {
  /// What must come of a body in each span of time.
  private static final int PROGRESS_BYTES_MIN = 4 << 10;

  /// Between looks. Who has not come on for so long is given up where others find no room.
  private static final long LOOK_MILLIS = 500;

  private final RequestBytes.Reservation reservation;
  private final LongSupplier progress;
  private final Consumer<Refusal> onStall;
  private long seen;

  /// Looks since then.
  private int looks;

  private @Nullable Future<?> looking;

  /// @param reservation what the body holds
  /// @param progress bytes that have come so far
  /// @param onStall told why, once
  StallWatch(
      RequestBytes.Reservation reservation, LongSupplier progress, Consumer<Refusal> onStall) {
    this.reservation = reservation;
    this.progress = progress;
    this.onStall = onStall;
  }

  /// @param loop that the body comes on
  /// @param stallMax in which some of it must come each time
  void begin(EventExecutor loop, Duration stallMax) {
    reservation.arriving(() -> loop.execute(() -> onStall.accept(reservation.tooSlow())));
    lookLater(loop, stallMax.toMillis());
  }

  private void lookLater(EventExecutor loop, long stallMillis) {
    long pause = Math.min(LOOK_MILLIS, stallMillis);
    looking = loop.schedule(() -> look(loop, stallMillis), pause, TimeUnit.MILLISECONDS);
  }

  private void look(EventExecutor loop, long stallMillis) {
    long now = progress.getAsLong();
    boolean hasComeOn = now - seen >= PROGRESS_BYTES_MIN;
    seen = hasComeOn ? now : seen;
    looks = hasComeOn ? 0 : looks + 1;
    reservation.waited(looks);
    if (looks * LOOK_MILLIS < stallMillis) {
      lookLater(loop, stallMillis);
      return;
    }
    onStall.accept(
        new Refusal(
            ErrorType.REQUEST_TIMEOUT,
            "the body came too slowly: [" + now + "] bytes of it were read"));
  }

  /// The body has come whole, or comes no more.
  ///
  /// @return why it was given up meanwhile; null when it was not
  @Nullable Refusal end() {
    Future<?> waiting = looking;
    if (waiting != null) {
      boolean _ = waiting.cancel(false);
    }
    return reservation.arrived() ? null : reservation.tooSlow();
  }
}
