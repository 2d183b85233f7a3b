package dev.holdfast.search;

import dev.holdfast.query.ShardHit;
import dev.holdfast.query.ShardResult;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A commit that is kept, and how far its scroll has come. A spare of a scroll may be known by name
/// only, and opened when it is searched.
final class HeldCommit {
  private final ShardTarget target;
  private final ShardContexts.Kind kind;
  private final StoredCommit commit;
  private final String request;
  private final boolean isSpare;

  /// Held while the commit is opened, which may read from far away.
  private final ReentrantLock opening = new ReentrantLock();

  private volatile SearchShard.@Nullable Opened opened;
  private boolean isClosed;
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

  /// @param opened null when it is to be opened by [#open]
  HeldCommit(
      ShardTarget target,
      ShardContexts.Kind kind,
      StoredCommit commit,
      SearchShard.@Nullable Opened opened,
      String request,
      boolean isSpare,
      long deadlineNanos) {
    this.target = target;
    this.kind = kind;
    this.commit = commit;
    this.opened = opened;
    this.request = request;
    this.isSpare = isSpare;
    this.deadlineNanos = deadlineNanos;
  }

  /// Reads a commit from the store.
  @FunctionalInterface
  interface Opening {
    /// Null when it is not there any more.
    SearchShard.@Nullable Opened open(StoredCommit commit) throws IOException;
  }

  ShardTarget target() {
    return target;
  }

  ShardContexts.Kind kind() {
    return kind;
  }

  StoredCommit commit() {
    return commit;
  }

  String request() {
    return request;
  }

  /// Opens the commit unless it is open.
  ///
  /// @return false when it is closed, or not there any more
  boolean open(Opening from) throws IOException {
    if (opened != null) {
      return true;
    }
    opening.lock();
    try {
      if (opened == null && !isClosed) {
        opened = from.open(commit);
      }
      return opened != null;
    } finally {
      opening.unlock();
    }
  }

  boolean isOpen() {
    return opened != null;
  }

  /// The commit's reader, for who knows that it is open.
  SearchShard.Opened opened() {
    return Objects.requireNonNull(opened);
  }

  /// Lets go of the reader, once searches that have it have ended. Once only.
  void close() throws IOException {
    opening.lock();
    try {
      isClosed = true;
      if (opened != null) {
        opened.release();
      }
    } finally {
      opening.unlock();
    }
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

  /// The client has that many pages, the last of them searched here.
  void settle(long pagesNow) {
    pages = pagesNow;
    isSettled = true;
  }

  /// The client has those pages, whoever searched the last.
  void settle(ScrollPosition position) {
    last = position.last();
    total = position.total();
    settle(position.pages());
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
