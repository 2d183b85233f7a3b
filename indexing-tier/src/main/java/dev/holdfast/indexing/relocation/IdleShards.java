package dev.holdfast.indexing.relocation;

import dev.holdfast.indexing.shard.IndexingShard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Which open shards become hollow: those that nobody has written for long, and when more are open
/// than the heap has room for, those that nobody has written for longest.
public final class IdleShards {
  /// What an open shard keeps in memory while it is idle, with room to spare.
  private static final long BYTES_A_SHARD = 256 << 10;

  private static final int OPEN_MIN = 100;

  /// Each of them makes a commit and uploads it.
  private static final int AT_ONCE_MAX = 8;

  /// A shard that was written just now is about to be written again.
  private static final Duration IDLE_MIN = Duration.ofSeconds(5);

  private final Duration hollowAfter;
  private final int openMax;

  public IdleShards(Duration hollowAfter, long heapBytes) {
    this.hollowAfter = hollowAfter;
    this.openMax = (int) Math.max(OPEN_MIN, heapBytes / BYTES_A_SHARD);
  }

  /// Has those sleep that are due.
  public void look(Collection<ShardSlot> slots, ShardSlots owner) {
    List<Idle> idle = new ArrayList<>();
    int open = 0;
    for (ShardSlot slot : slots) {
      IndexingShard shard = slot.open();
      if (shard == null) {
        continue;
      }
      open++;
      Duration since = shard.idle();
      if (since.compareTo(hollowAfter) >= 0) {
        sleep(slot, owner);
      } else if (since.compareTo(IDLE_MIN) >= 0) {
        idle.add(new Idle(slot, since));
      }
    }
    if (open > openMax) {
      idle.sort(Comparator.comparing(Idle::since).reversed());
      int sleeping = Math.min(AT_ONCE_MAX, open - openMax);
      idle.stream().limit(sleeping).forEach(one -> sleep(one.slot, owner));
    }
  }

  private record Idle(ShardSlot slot, Duration since) {}

  private static void sleep(ShardSlot slot, ShardSlots owner) {
    if (slot.sleep()) {
      owner.work(slot);
    }
  }
}
