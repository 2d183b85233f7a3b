package dev.holdfast.search.copy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.directory.SearchDirectory;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.query.ElasticsearchSimilarity;
import dev.holdfast.search.fielduse.FieldUse;
import dev.holdfast.search.fielduse.FieldUseReader;
import dev.holdfast.world.Promise;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.UsageTrackingQueryCachingPolicy;
import org.jspecify.annotations.Nullable;

/// The search copy of one shard (§4.1): a reader over the newest commit that was noticed, and the
/// older ones that searches still read.
final class SearchShard implements AutoCloseable {
  /// After so many commits without a search, a copy's new commits are not fetched ahead.
  private static final int SEARCHED_COMMITS = 10;

  /// Of a new commit's files that are fetched ahead (§3.2).
  private static final long WARM_BYTES_MAX = 32 << 20;

  /// When it was searched.
  final SearchRecency recency;

  private final ShardId shard;
  private final SearchDirectory directory;
  private final Caches caches;
  private final FieldUse fieldUse;
  private final LongSupplier ownersTerm;

  /// What is asked for often is a matter of each shard: one search asks all of them.
  private final QueryCachingPolicy cachingPolicy = new UsageTrackingQueryCachingPolicy();

  /// Held while a commit is opened, which may read from far away: one at a time.
  private final ReentrantLock opening = new ReentrantLock();

  /// Commits whose readers are open, the newest last. Guards itself and what follows.
  private final Map<IndexReader.CacheKey, CompoundCommit> open = new LinkedHashMap<>();

  /// The commit that is being opened.
  private @Nullable CompoundCommit pending;

  /// Commits opened since somebody searched.
  private final AtomicInteger commitsSinceSearch = new AtomicInteger(SEARCHED_COMMITS);

  private volatile @Nullable OpenCommit current;
  private boolean isClosed;

  /// Opens nothing any more; closed when the last search has ended.
  private boolean isRetired;

  /// Holds no reader because nobody searched for long; opens the newest commit when somebody does.
  private volatile boolean isHollow;

  /// How often the cluster state was seen to say that this copy is starting, and how often that was
  /// when its owner last said what is newest to a copy that it knew as started.
  private final AtomicInteger startings = new AtomicInteger();

  private volatile int confirmed;

  /// @param ownersTerm the primary term of the owner as the cluster state says: notices of lower
  ///   ones open nothing
  SearchShard(
      ShardId shard,
      SearchDirectory directory,
      Caches caches,
      FieldUse fieldUse,
      LongSupplier ownersTerm,
      long createdNanos) {
    this.shard = shard;
    this.fieldUse = fieldUse;
    this.ownersTerm = ownersTerm;
    this.recency = new SearchRecency(createdNanos);
    this.directory = directory;
    this.caches = caches;
  }

  /// The caches of the node, as its copies tell them what they read.
  interface Caches {
    /// A reader was opened. Returns what its searches may remember filters in; null for nothing.
    @Nullable QueryCache opened(ShardId shard, IndexReader reader);

    /// Nobody reads that commit any more.
    void forgotten(ShardId shard, CompoundCommit commit);
  }

  /// The cluster state says that the copy is starting: refreshes may be answered without it, until
  /// its owner knows that it has started.
  void starting() {
    startings.incrementAndGet();
  }

  /// What [#confirmed] must be told.
  int startings() {
    return startings.get();
  }

  /// The newest commit was asked for, and opened, after the owner knew that the copy has started:
  /// from then on no refresh is answered without it.
  ///
  /// @param before [#startings] before the owner was asked
  void confirmed(int before) {
    confirmed = before;
  }

  /// Whether no refresh may have been answered that this copy was not told of.
  boolean isConfirmed() {
    return confirmed == startings.get();
  }

  /// The newest commit, kept open until released; null when there is none yet, or none any more.
  @Nullable OpenCommit acquire() {
    while (true) {
      OpenCommit opened = current;
      if (opened == null) {
        return null;
      }
      // It may have been replaced and closed just now: then there is a newer one.
      if (opened.reader().tryIncRef()) {
        commitsSinceSearch.set(0);
        return opened;
      }
    }
  }

  /// Whether it is the commit that searches acquire now.
  boolean isNewest(CompoundCommit commit) {
    OpenCommit opened = current;
    return opened != null
        && opened.commit().primaryTerm() == commit.primaryTerm()
        && opened.commit().generation() == commit.generation();
  }

  /// Opens the commit when it is newer than what is open; learns of uploads in any case.
  InUse commit(CommitNotice notice) throws IOException {
    opening.lock();
    try {
      if (isHollow) {
        return directory.inUse(); // whoever searches it next asks for the newest commit
      }
      OpenCommit before = current;
      CompoundCommit commit = notice.commit();
      boolean isNews = before == null || isNewer(commit, before.commit());
      synchronized (open) {
        checkOpen(notice);
        if (isNews) {
          // Here, where it begins to count as read: an owner that was told before that it is not
          // read has deleted it.
          checkOwner(notice);
          directory.show(notice);
          pending = commit;
        } else {
          // A late notice, perhaps of an owner that is none any more: its blobs may be gone.
          directory.learn(notice.newestUploaded());
        }
      }
      try {
        if (isNews) {
          directory.fetch(commit);
          replace(before, notice);
        }
      } finally {
        synchronized (open) {
          pending = null;
          retain();
        }
      }
      return directory.inUse();
    } finally {
      opening.unlock();
    }
  }

  /// What searches still read here, without opening anything.
  InUse inUse() {
    synchronized (open) { // a notice is judged and shown in one step
      return directory.inUse();
    }
  }

  /// Opens nothing from now on and closes when the last search has ended. Returns whether that is
  /// so already.
  boolean retire() throws IOException {
    synchronized (open) {
      isRetired = true;
    }
    drop(false);
    return isIdle();
  }

  /// Whether nobody reads anything here.
  boolean isIdle() {
    synchronized (open) {
      return open.isEmpty();
    }
  }

  /// Lets go of the newest reader; searches under way end as they began.
  private void drop(boolean sleeps) throws IOException {
    opening.lock();
    try {
      isHollow = sleeps;
      OpenCommit last;
      synchronized (open) {
        last = current;
        current = null;
      }
      if (last != null) {
        last.release();
      }
    } finally {
      opening.unlock();
    }
  }

  /// Keeps no reader until somebody searches.
  void sleep() throws IOException {
    drop(true);
  }

  /// Whether the commit can be had from the store.
  boolean isUploaded(CompoundCommit commit) {
    return directory.isUploaded(commit);
  }

  FieldUse fieldUse() {
    return fieldUse;
  }

  boolean isHollow() {
    return isHollow;
  }

  /// Notices are opened again from now on; the caller opens the newest commit after this.
  void wake() {
    isHollow = false;
  }

  SearchCopyInfo sight(long nowNanos) {
    OpenCommit now = current;
    boolean isGone;
    synchronized (open) {
      isGone = isRetired;
    }
    String state = isGone ? "retired" : isHollow ? "hollow" : now == null ? "opening" : "open";
    return new SearchCopyInfo(
        shard,
        state,
        now == null ? 0 : now.commit().primaryTerm(),
        now == null ? -1 : now.commit().generation(),
        recency.sinceSearchMillis(nowNanos),
        inUse().generations());
  }

  private void checkOpen(CommitNotice notice) throws IOException {
    if (isClosed || isRetired) {
      throw new IOException("search copy is closed [shard=" + notice.shard() + "]");
    }
  }

  private void checkOwner(CommitNotice notice) throws IOException {
    long term = ownersTerm.getAsLong();
    if (notice.ownersTerm() < term) {
      throw new IOException(
          "a notice of an earlier owner [shard="
              + shard
              + ", its_term="
              + notice.ownersTerm()
              + ", term="
              + term
              + "]");
    }
  }

  private static boolean isNewer(CompoundCommit commit, CompoundCommit than) {
    return commit.primaryTerm() != than.primaryTerm()
        ? commit.primaryTerm() > than.primaryTerm()
        : commit.generation() > than.generation();
  }

  private void replace(@Nullable OpenCommit before, CommitNotice notice) throws IOException {
    CompoundCommit commit = notice.commit();
    Promise.keep(
        before == null || isNewer(commit, before.commit()),
        "a search copy goes to newer commits only",
        "shard",
        shard,
        "generation",
        commit.generation());
    if (before != null && commitsSinceSearch.getAndIncrement() < SEARCHED_COMMITS) {
      directory.warm(commit, before.commit(), WARM_BYTES_MAX);
    }
    DirectoryReader reader = reader(before, commit);
    IndexSearcher searcher = ElasticsearchSimilarity.searcher(reader);
    searcher.setQueryCache(caches.opened(shard, reader));
    searcher.setQueryCachingPolicy(cachingPolicy);
    synchronized (open) {
      if (isClosed || isRetired) {
        reader.close();
      }
      checkOpen(notice);
      // Counted before it can be acquired, and discounted when the last search has released it.
      open.put(reader.getReaderCacheHelper().getKey(), commit);
      reader.getReaderCacheHelper().addClosedListener(this::forget);
      current = new OpenCommit(this, commit, reader, searcher);
    }
    if (before != null) {
      before.release();
    }
  }

  /// A reader that shares unchanged segments with the one before. Another owner of the shard may
  /// have given the same names to other segments: under a new primary term nothing is shared.
  private DirectoryReader reader(@Nullable OpenCommit before, CompoundCommit commit)
      throws IOException {
    if (before != null && before.commit().primaryTerm() == commit.primaryTerm()) {
      DirectoryReader changed =
          DirectoryReader.openIfChanged(before.reader(), directory.commit(commit.generation()));
      if (changed != null) {
        return changed;
      }
    }
    return new FieldUseReader(DirectoryReader.open(directory.commit(commit.generation())));
  }

  private void forget(IndexReader.CacheKey key) {
    CompoundCommit closed;
    synchronized (open) {
      closed = open.remove(key);
      retain();
    }
    if (closed != null && !isHollow) { // a copy that sleeps may wake to the same commit
      caches.forgotten(shard, closed);
    }
  }

  /// Lets the directory forget what nobody reads; call it with the lock held.
  private void retain() {
    if (!isClosed) {
      List<CompoundCommit> commits = new ArrayList<>(open.values());
      if (pending != null) {
        commits.add(pending);
      }
      directory.retainOnly(commits);
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (open) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      OpenCommit last = current;
      current = null;
      if (last != null) {
        last.release();
      }
      directory.close();
    }
  }

  @Override
  public String toString() {
    OpenCommit opened = current;
    return "search copy of " + (opened == null ? "nothing" : opened.commit());
  }
}
