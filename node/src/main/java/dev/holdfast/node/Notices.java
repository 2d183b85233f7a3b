package dev.holdfast.node;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.SearchNotices;
import dev.holdfast.world.Promise;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The wire from the indexing tier to the search tier, which both need before the other exists.
final class Notices implements SearchNotices {
  private volatile @Nullable SearchNotices search;

  void connect(SearchNotices to) {
    search = to;
  }

  @Override
  public InUse commit(CommitNotice notice) throws IOException {
    return connected().commit(notice);
  }

  @Override
  public void closed(ShardId shard) {
    connected().closed(shard);
  }

  private SearchNotices connected() {
    SearchNotices connected = search;
    Promise.keep(connected != null, "the tiers are connected before a shard is opened");
    return java.util.Objects.requireNonNull(connected);
  }
}
