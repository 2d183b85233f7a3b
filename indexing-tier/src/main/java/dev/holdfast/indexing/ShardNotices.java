package dev.holdfast.indexing;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.SearchNotices;
import dev.holdfast.world.Clock;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What the search tier has been told of a shard, and what it said it still reads (§4.1, §6.1). One
/// notice at a time; each says the newest that is known.
final class ShardNotices {
  private final SearchNotices search;
  private final ShardId shard;
  private final Clock clock;
  private final ReentrantLock sending = new ReentrantLock();

  // Guarded by this.
  private @Nullable CompoundCommit newest;
  private @Nullable BlobId newestUploaded;
  private SortedSet<BlobId> inUse = new TreeSet<>();
  private SortedSet<Long> generationsInUse = new TreeSet<>();
  private boolean isTold = true;
  private long toldNanos;

  ShardNotices(SearchNotices search, ShardId shard, Clock clock) {
    this.search = search;
    this.shard = shard;
    this.clock = clock;
    this.toldNanos = clock.nanoTime();
  }

  /// A commit whose operations are all durable; older ones than the newest are not news.
  synchronized void durable(CompoundCommit commit) {
    if (newest == null || newest.generation() < commit.generation()) {
      newest = commit;
      isTold = false;
    }
  }

  synchronized void uploaded(BlobId blob) {
    newestUploaded = blob;
    isTold = false;
  }

  /// Whether the search tier lacks news: the last notice failed.
  synchronized boolean isBehind() {
    return !isTold;
  }

  /// When the search tier last answered.
  synchronized long toldNanos() {
    return toldNanos;
  }

  synchronized InUse inUse() {
    return new InUse(new TreeSet<>(generationsInUse), new TreeSet<>(inUse));
  }

  /// Tells the newest; when this returns every later search sees it.
  void tell() throws IOException {
    sending.lock();
    try {
      CommitNotice notice;
      synchronized (this) {
        if (newest == null) {
          return;
        }
        notice = new CommitNotice(shard, newest, Optional.ofNullable(newestUploaded));
        // Until it answers, a search copy may have opened any of these.
        inUse.addAll(newest.blobs());
        generationsInUse.add(newest.generation());
        isTold = true;
      }
      boolean isAnswered = false;
      try {
        InUse answer = search.commit(notice);
        synchronized (this) {
          inUse = new TreeSet<>(answer.blobs());
          generationsInUse = new TreeSet<>(answer.generations());
          toldNanos = clock.nanoTime();
        }
        isAnswered = true;
      } finally {
        if (!isAnswered) {
          synchronized (this) {
            isTold = false;
          }
        }
      }
    } finally {
      sending.unlock();
    }
  }

  void closed() {
    search.closed(shard);
  }
}
