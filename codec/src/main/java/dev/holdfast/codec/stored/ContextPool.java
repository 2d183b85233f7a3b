package dev.holdfast.codec.stored;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Supplier;

/// Native contexts that are idle, up to a limit; more are made while all are in use, and freed when
/// they come back to a full pool. Safe for many threads.
final class ContextPool<C extends Closeable> {
  private final ArrayBlockingQueue<C> idle;
  private final Supplier<C> maker;

  ContextPool(int idleMax, Supplier<C> maker) {
    this.idle = new ArrayBlockingQueue<>(idleMax);
    this.maker = maker;
  }

  C take() {
    C context = idle.poll();
    return context == null ? maker.get() : context;
  }

  void giveBack(C context) throws IOException {
    if (!idle.offer(context)) {
      context.close();
    }
  }
}
