package dev.holdfast.search;

import dev.holdfast.query.ShardHit;
import dev.holdfast.query.ShardResult;
import org.jspecify.annotations.Nullable;

/// A commit that is kept open, and how far its scroll has come.
final class HeldCommit {
  private final ShardTarget target;
  private final ShardContexts.Kind kind;
  private final SearchShard.Opened opened;
  private final String request;
  private final boolean isSpare;
  private volatile long deadlineNanos;
  private volatile @Nullable ShardHit last;
  private volatile long total = -1;
  private volatile long pages;
  private volatile boolean isSettled = true;
  private volatile @Nullable Pin pin;

  /// The pin in the store that the commit belongs to.
  ///
  /// @param untilMillis until when it is kept, as the pin says
  record Pin(String id, boolean isKeptHere, long untilMillis) {}

  HeldCommit(
      ShardTarget target,
      ShardContexts.Kind kind,
      SearchShard.Opened opened,
      String request,
      boolean isSpare,
      long deadlineNanos) {
    this.target = target;
    this.kind = kind;
    this.opened = opened;
    this.request = request;
    this.isSpare = isSpare;
    this.deadlineNanos = deadlineNanos;
  }

  ShardTarget target() {
    return target;
  }

  ShardContexts.Kind kind() {
    return kind;
  }

  String request() {
    return request;
  }

  SearchShard.Opened opened() {
    return opened;
  }

  @Nullable Pin pin() {
    return pin;
  }

  void pinned(Pin now) {
    pin = now;
  }

  /// For how long it is still wanted.
  long leftMillis(long nowNanos) {
    return Math.max(0, (deadlineNanos - nowNanos) / 1_000_000);
  }

  boolean isOver(long nowNanos) {
    return nowNanos - deadlineNanos > 0;
  }

  void keepUntil(long nanos) {
    deadlineNanos = nanos;
  }

  /// The last hit of this shard that was shown; null before the first.
  @Nullable ShardHit last() {
    return last;
  }

  /// Documents that match; -1 before the first page.
  long total() {
    return total;
  }

  /// Whether another node holds the same commit for the same scroll, and this one is for the time
  /// when that node has died.
  boolean isSpare() {
    return isSpare;
  }

  /// Where a scroll is, for another node that holds the same commit.
  ScrollPosition position() {
    return new ScrollPosition(pages, total, last);
  }

  /// Whether no page was searched since the coordinator said how many its client has.
  boolean isSettled() {
    return isSettled;
  }

  /// The client has those pages.
  void settle(ScrollPosition position) {
    last = position.last();
    total = position.total();
    pages = position.pages();
    isSettled = true;
  }

  /// Notes what a page of a scroll found.
  void found(ShardResult result) {
    if (kind == ShardContexts.Kind.SCROLL) {
      total = total < 0 ? result.total() : total;
      isSettled = false;
    }
  }

  /// Notes what a page of a scroll shows of this shard.
  void shown(ShardHit hit) {
    if (kind == ShardContexts.Kind.SCROLL) {
      last = hit;
    }
  }
}
