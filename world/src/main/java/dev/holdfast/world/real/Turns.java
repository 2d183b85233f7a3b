package dev.holdfast.world.real;

import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Queue;

/// Work that waits for a thread. Requests take turns, however much each of them has: one of a
/// thousand searches keeps another one of a single search waiting for one of its own, not for a
/// thousand.
final class Turns {
  private final IdentityHashMap<Object, Queue<Runnable>> waiting = new IdentityHashMap<>();

  /// Requests that have work, the next one first.
  private final Queue<Object> order = new ArrayDeque<>();

  /// @param request told from others by its identity
  synchronized void add(Object request, Runnable work) {
    Queue<Runnable> own = waiting.get(request);
    if (own == null) {
      own = new ArrayDeque<>(2);
      waiting.put(request, own);
      order.add(request);
    }
    own.add(work);
  }

  /// Takes the next; there is one.
  synchronized Runnable next() {
    Object request = order.remove();
    Queue<Runnable> own = waiting.get(request);
    if (own == null) {
      throw new IllegalStateException("a request in the order has no work");
    }
    Runnable work = own.remove();
    if (own.isEmpty()) {
      waiting.remove(request);
    } else {
      order.add(request);
    }
    return work;
  }
}
