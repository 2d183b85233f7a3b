package dev.holdfast.indexing.engine;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexDeletionPolicy;
import org.jspecify.annotations.Nullable;

/// Which Lucene commits keep their local files: the newest, and those of batches whose upload the
/// search tier has not heard of yet (§4.1).
public final class RetainedCommits extends IndexDeletionPolicy {
  private final Set<Long> retained = ConcurrentHashMap.newKeySet();
  private volatile @Nullable IndexCommit newest;

  /// The commit that a shard was recovered from lies in the store: nothing local is kept for it,
  /// and the next commit takes its place.
  @Override
  public void onInit(List<? extends IndexCommit> commits) {
    newest = commits.isEmpty() ? null : commits.getLast();
  }

  @Override
  public void onCommit(List<? extends IndexCommit> commits) throws IOException {
    if (commits.isEmpty()) {
      return;
    }
    IndexCommit last = commits.getLast();
    IndexCommit before = newest;
    if (before == null || before.getGeneration() != last.getGeneration()) {
      // Held from birth: it has a place in a batch before anything else can be committed.
      retained.add(last.getGeneration());
      newest = last;
    }
    for (IndexCommit commit : commits.subList(0, commits.size() - 1)) {
      if (!retained.contains(commit.getGeneration())) {
        commit.delete();
      }
    }
  }

  /// The newest commit, null before the first.
  @Nullable IndexCommit newest() {
    return newest;
  }

  /// These need no local files any more; Lucene deletes them with the next commit, or when asked to
  /// delete unused files.
  public void release(long generation) {
    retained.remove(generation);
  }
}
