package dev.holdfast.search.held;

import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.search.copy.OpenCommit;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.StoredCommit;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A commit that is kept, and how far its scroll has come. A spare of a scroll may be known by name
/// only, and opened when it is searched.
public final class HeldCommit {
  private final ShardTarget target;
  private final ShardContexts.Kind kind;
  private final StoredCommit commit;
  private final String request;

  /// Held while the commit is opened, which may read from far away.
  private final ReentrantLock opening = new ReentrantLock();

  private volatile @Nullable OpenCommit opened;
  private boolean isClosed;
  private final long sinceNanos;
  private volatile long deadlineNanos;
  private volatile boolean isSpare;
  private volatile boolean isAlone;

  /// Where every page that is searched begins: however often one is searched, it is the same.
  private volatile ScrollPosition position = ScrollPosition.BEGIN;

  /// Where the next page begins if the client gets the one that was searched last.
  private volatile ScrollPosition ahead = ScrollPosition.BEGIN;

  private volatile @Nullable Pin pin;

  /// The pin in the store that the commit belongs to.
  ///
  /// @param untilMillis until when it is kept, as the pin says
  public record Pin(String id, boolean isKeptHere, long untilMillis) {}

  /// @param opened null when it is to be opened by [#open]
  /// @param sinceNanos when it was kept first
  HeldCommit(
      ShardTarget target,
      ShardContexts.Kind kind,
      StoredCommit commit,
      @Nullable OpenCommit opened,
      String request,
      boolean isSpare,
      long sinceNanos,
      long deadlineNanos) {
    this.target = target;
    this.kind = kind;
    this.commit = commit;
    this.opened = opened;
    this.request = request;
    this.isSpare = isSpare;
    this.sinceNanos = sinceNanos;
    this.deadlineNanos = deadlineNanos;
  }

  /// Reads a commit from the store.
  @FunctionalInterface
  interface Opening {
    /// Null when it is not there any more.
    @Nullable OpenCommit open(StoredCommit commit) throws IOException;
  }

  public ShardTarget target() {
    return target;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  public ShardContexts.Kind kind() {
    return kind;
  }

  public StoredCommit commit() {
    return commit;
  }

  public String request() {
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

  public boolean isOpen() {
    return opened != null;
  }

  /// The commit's reader, for who knows that it is open.
  public OpenCommit opened() {
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

  /// Whether another node holds the same commit for the same scroll, and that one was searched
  /// last.
  boolean isSpare() {
    return isSpare;
  }

  /// Whether the other of its pair could not be told of the last page, and stands where it should
  /// not.
  public boolean isAlone() {
    return isAlone;
  }

  /// Where a scroll is, for another node that holds the same commit.
  public ScrollPosition position() {
    return position;
  }

  /// The client has that many pages, the last of them searched here.
  public void settle(long pages, boolean isAloneNow) {
    settle(new ScrollPosition(pages, ahead.total(), ahead.last()));
    isSpare = false;
    isAlone = isAloneNow;
  }

  /// The client has those pages, the last of them searched elsewhere.
  public void settle(ScrollPosition now) {
    position = now;
    ahead = now;
    isSpare = true;
    isAlone = false;
  }

  /// Notes what a page of a scroll found.
  public void found(ShardResult result) {
    ScrollPosition now = position;
    ahead =
        new ScrollPosition(now.pages(), now.total() < 0 ? result.total() : now.total(), now.last());
  }

  /// Notes what a page of a scroll shows of this shard.
  public void shown(ShardHit hit) {
    ahead = new ScrollPosition(ahead.pages(), ahead.total(), hit);
  }
}
