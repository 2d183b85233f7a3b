package dev.holdfast.search;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The commits that this node keeps open.
final class HeldCommits implements ShardContexts, AutoCloseable {
  /// `search.max_open_scroll_context`: shards of all scrolls.
  private static final int SCROLLS_MAX = 500;

  /// Shards of all points in time.
  private static final int POINTS_IN_TIME_MAX = 5_000;

  private static final Duration LOOK = Duration.ofSeconds(1);

  private final World world;
  private final String node;
  private final SearchCopies copies;
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentMap<Long, HeldCommit> held = new ConcurrentHashMap<>();

  /// @param node this node's ephemeral id
  HeldCommits(World world, String node, SearchCopies copies) {
    this.world = world;
    this.node = node;
    this.copies = copies;
    var _ = world.tasks().repeat("held-commits", LOOK, this::closeOver);
  }

  @Override
  public ContextId open(ShardTarget target, Kind kind, Duration keepAlive, String request) {
    requireRoom(kind);
    SearchShard.Opened opened;
    try {
      opened = copies.acquire(target.shard());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(ErrorType.TASK_CANCELLED, "interrupted while waiting for a shard", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long number = numbers.incrementAndGet();
    long deadline = world.clock().nanoTime() + keepAlive.toNanos();
    held.put(number, new HeldCommit(target, kind, opened, request, deadline));
    return new ContextId(node, number, kind);
  }

  private void requireRoom(Kind kind) {
    int max = kind == Kind.SCROLL ? SCROLLS_MAX : POINTS_IN_TIME_MAX;
    if (open(kind) >= max) {
      String what = kind == Kind.SCROLL ? "scroll" : "pit";
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "Trying to create too many "
              + what
              + " contexts. Must be less than or equal to: ["
              + max
              + "]. This limit can be set by changing the [search.max_open_"
              + what
              + "_context] setting.");
    }
  }

  @Override
  public String request(ContextId context) {
    HeldCommit commit = find(context);
    if (commit == null) {
      throw missing(context);
    }
    return commit.request();
  }

  @Override
  public int open(Kind kind) {
    return (int) held.values().stream().filter(one -> one.kind() == kind).count();
  }

  /// Open contexts of one shard.
  long open(ShardId shard) {
    return held.values().stream().filter(one -> one.target().shard().equals(shard)).count();
  }

  @Override
  public boolean keep(ContextId context, Duration keepAlive) {
    HeldCommit commit = find(context);
    if (commit != null) {
      commit.keepUntil(world.clock().nanoTime() + keepAlive.toNanos());
    }
    return commit != null;
  }

  private @Nullable HeldCommit find(ContextId context) {
    return context.node().equals(node) ? held.get(context.number()) : null;
  }

  /// The commit, open until it is released once more than it is held.
  ///
  /// @throws Refusal `search_context_missing_exception`
  HeldCommit acquire(ContextId context) {
    HeldCommit commit = find(context);
    if (commit == null || !commit.opened().reader().tryIncRef()) {
      throw missing(context);
    }
    return commit;
  }

  static Refusal missing(ContextId context) {
    return new Refusal(
        ErrorType.SEARCH_CONTEXT_MISSING,
        "No search context found for id [" + context.number() + "]");
  }

  @Override
  public boolean close(ContextId context) {
    return context.node().equals(node) && close(context.number());
  }

  private boolean close(long number) {
    HeldCommit commit = held.remove(number);
    if (commit != null) {
      release(commit);
    }
    return commit != null;
  }

  @Override
  public int closeAll(Kind kind) {
    int closed = 0;
    for (Map.Entry<Long, HeldCommit> one : held.entrySet()) {
      if (one.getValue().kind() == kind) {
        closed += close((long) one.getKey()) ? 1 : 0;
      }
    }
    return closed;
  }

  private static void release(HeldCommit commit) {
    try {
      commit.opened().release();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void closeOver() {
    long now = world.clock().nanoTime();
    for (Map.Entry<Long, HeldCommit> one : held.entrySet()) {
      if (one.getValue().isOver(now)) {
        boolean _ = close((long) one.getKey());
      }
    }
  }

  @Override
  public void close() {
    for (Long number : held.keySet()) {
      boolean _ = close((long) number);
    }
  }
}
