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

  private final LongSupplier progress;
  private final Consumer<Refusal> onStall;
  private long seen;
  private @Nullable Future<?> looking;

  /// @param progress bytes that have come so far
  /// @param onStall told why, once
  StallWatch(LongSupplier progress, Consumer<Refusal> onStall) {
    this.progress = progress;
    this.onStall = onStall;
  }

  /// @param loop that the body comes on
  /// @param stallMax in which some of it must come each time
  void begin(EventExecutor loop, Duration stallMax) {
    looking = loop.schedule(() -> look(loop, stallMax), stallMax.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look(EventExecutor loop, Duration stallMax) {
    long now = progress.getAsLong();
    if (now - seen >= PROGRESS_BYTES_MIN) {
      seen = now;
      begin(loop, stallMax);
      return;
    }
    onStall.accept(
        new Refusal(
            ErrorType.REQUEST_TIMEOUT,
            "the body came too slowly: [" + now + "] bytes of it were read"));
  }

  void end() {
    Future<?> waiting = looking;
    if (waiting != null) {
      boolean _ = waiting.cancel(false);
    }
  }
}
