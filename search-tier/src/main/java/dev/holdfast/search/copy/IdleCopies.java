package dev.holdfast.search.copy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Which search copies let go of their readers: those that nobody has searched for long, and when
/// more are open than the heap has room for, those that nobody has searched for longest.
final class IdleCopies {
  /// What an open reader keeps in memory, with room to spare.
  private static final long BYTES_A_COPY = 256 << 10;

  private static final int OPEN_MIN = 100;

  private final long hollowAfterNanos;
  private final int openMax;

  IdleCopies(long hollowAfterNanos, long heapBytes) {
    this.hollowAfterNanos = hollowAfterNanos;
    this.openMax = (int) Math.max(OPEN_MIN, heapBytes / BYTES_A_COPY);
  }

  private record Open(SearchShard copy, long idleNanos) {}

  void look(Collection<SearchShard> copies, long nowNanos) throws IOException {
    List<Open> open = new ArrayList<>();
    for (SearchShard copy : copies) {
      long idleNanos = copy.recency.idleNanos(nowNanos);
      if (copy.isHollow()) {
        continue;
      }
      if (idleNanos >= hollowAfterNanos) {
        copy.sleep();
      } else {
        open.add(new Open(copy, idleNanos));
      }
    }
    if (open.size() > openMax) {
      open.sort(Comparator.comparingLong(Open::idleNanos).reversed());
      for (Open one : open.subList(0, open.size() - openMax)) {
        one.copy.sleep();
      }
    }
  }
}
