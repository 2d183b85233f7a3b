package dev.holdfast.rpc;

import java.util.LinkedHashMap;
import java.util.Map;

/// The numbers of calls that this process was sent, by the name of who made them: a call that
/// somebody has recorded and sends again is none. Thread-safe.
final class SeenCallNumbers {
  /// A call that comes after so many later ones of the same caller is not taken.
  static final int WINDOW = 1 << 16;

  /// Callers that are remembered; the one that was not heard for longest is forgotten.
  static final int CALLERS_MAX = 4096;

  private final Map<String, Window> windows =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Window> eldest) {
          return size() > CALLERS_MAX;
        }
      };

  /// The last numbers of a caller: one bit each.
  private static final class Window {
    private final long[] bits = new long[WINDOW / Long.SIZE];
    private long newest;

    synchronized boolean take(long number) {
      if (number <= newest - WINDOW) {
        return false;
      }
      if (number > newest) {
        long first = Math.max(newest + 1, number - WINDOW + 1);
        for (long between = first; between <= number; between++) {
          bits[word(between)] &= ~(1L << between);
        }
        newest = number;
      } else if ((bits[word(number)] & 1L << number) != 0) {
        return false;
      }
      bits[word(number)] |= 1L << number;
      return true;
    }

    private static int word(long number) {
      return (int) (number & WINDOW - 1) / Long.SIZE;
    }
  }

  /// Whether it was never sent before.
  ///
  /// @param number from 1 on
  boolean take(String caller, long number) {
    if (number < 1) {
      return false;
    }
    Window window;
    synchronized (windows) {
      window = windows.computeIfAbsent(caller, _ -> new Window());
    }
    return window.take(number);
  }
}
