package dev.holdfast.benchmark;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.SearchMembers;
import dev.holdfast.compoundcommit.notice.SearchNotices;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What the indexing tier tells a search tier that is made after it.
final class Notices implements SearchNotices, SearchMembers {
  volatile @Nullable SearchNotices search;

  @Override
  public SearchNotices member(String member) {
    return this;
  }

  private SearchNotices search() throws IOException {
    SearchNotices now = search;
    if (now == null) {
      throw new IOException("the search tier is not there yet");
    }
    return now;
  }

  @Override
  public InUse commit(CommitNotice notice) throws IOException {
    return search().commit(notice);
  }

  @Override
  public InUse inUse(ShardId shard, long stateVersion) throws IOException {
    return search().inUse(shard, stateVersion);
  }
}
