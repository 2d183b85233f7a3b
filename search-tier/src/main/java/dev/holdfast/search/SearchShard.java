package dev.holdfast.search;

import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.SearchDirectory;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.query.Scoring;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.QueryCachingPolicy;
import org.jspecify.annotations.Nullable;

/// The search copy of one shard (§4.1): a reader over the newest commit that was noticed, and the
/// older ones that searches still read.
final class SearchShard implements AutoCloseable {
  private final SearchDirectory directory;
  private final QueryCache queryCache;
  private final QueryCachingPolicy cachingPolicy;

  /// Held while a commit is opened, which may read from far away: one at a time.
  private final ReentrantLock opening = new ReentrantLock();

  /// Commits whose readers are open, the newest last. Guards itself and what follows.
  private final Map<IndexReader.CacheKey, CompoundCommit> open = new LinkedHashMap<>();

  /// The commit that is being opened.
  private @Nullable CompoundCommit pending;

  private volatile @Nullable Opened current;
  private boolean isClosed;

  SearchShard(SearchDirectory directory, QueryCache queryCache, QueryCachingPolicy cachingPolicy) {
    this.directory = directory;
    this.queryCache = queryCache;
    this.cachingPolicy = cachingPolicy;
  }

  /// A commit being searched; [#release] must be called once for each [SearchShard#acquire].
  record Opened(CompoundCommit commit, DirectoryReader reader, IndexSearcher searcher) {
    void release() throws IOException {
      reader.decRef();
    }

    /// Runs work with a reference of its own: who acquired the commit may have been interrupted and
    /// have released it.
    <T> T whileOpen(Work<T> work) throws IOException {
      if (!reader.tryIncRef()) {
        throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
      }
      try {
        return work.run();
      } finally {
        reader.decRef();
      }
    }
  }

  /// Work over an open commit.
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  /// The newest commit, kept open until released; null when there is none yet, or none any more.
  @Nullable Opened acquire() {
    while (true) {
      Opened opened = current;
      if (opened == null) {
        return null;
      }
      // It may have been replaced and closed just now: then there is a newer one.
      if (opened.reader.tryIncRef()) {
        return opened;
      }
    }
  }

  /// Opens the commit when it is newer than what is open; learns of uploads in any case.
  InUse commit(CommitNotice notice) throws IOException {
    opening.lock();
    try {
      Opened before = current;
      CompoundCommit commit = notice.commit();
      boolean isNews = before == null || isNewer(commit, before.commit);
      synchronized (open) {
        checkOpen(notice);
        directory.show(notice);
        pending = isNews ? commit : null;
      }
      try {
        if (isNews) {
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

  private void checkOpen(CommitNotice notice) throws IOException {
    if (isClosed) {
      throw new IOException("search copy is closed [shard=" + notice.shard() + "]");
    }
  }

  private static boolean isNewer(CompoundCommit commit, CompoundCommit than) {
    return commit.primaryTerm() != than.primaryTerm()
        ? commit.primaryTerm() > than.primaryTerm()
        : commit.generation() > than.generation();
  }

  private void replace(@Nullable Opened before, CommitNotice notice) throws IOException {
    CompoundCommit commit = notice.commit();
    DirectoryReader reader = reader(before, commit);
    IndexSearcher searcher = Scoring.searcher(reader);
    searcher.setQueryCache(queryCache);
    searcher.setQueryCachingPolicy(cachingPolicy);
    synchronized (open) {
      if (isClosed) {
        reader.close();
      }
      checkOpen(notice);
      // Counted before it can be acquired, and discounted when the last search has released it.
      open.put(reader.getReaderCacheHelper().getKey(), commit);
      reader.getReaderCacheHelper().addClosedListener(this::forget);
      current = new Opened(commit, reader, searcher);
    }
    if (before != null) {
      before.release();
    }
  }

  /// A reader that shares unchanged segments with the one before. Another owner of the shard may
  /// have given the same names to other segments: under a new primary term nothing is shared.
  private DirectoryReader reader(@Nullable Opened before, CompoundCommit commit)
      throws IOException {
    if (before != null && before.commit.primaryTerm() == commit.primaryTerm()) {
      DirectoryReader changed =
          DirectoryReader.openIfChanged(before.reader, directory.commit(commit.generation()));
      if (changed != null) {
        return changed;
      }
    }
    return DirectoryReader.open(directory.commit(commit.generation()));
  }

  private void forget(IndexReader.CacheKey key) {
    synchronized (open) {
      open.remove(key);
      retain();
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
      Opened last = current;
      current = null;
      if (last != null) {
        last.release();
      }
      directory.close();
    }
  }

  @Override
  public String toString() {
    Opened opened = current;
    return "search copy of " + (opened == null ? "nothing" : opened.commit);
  }
}
