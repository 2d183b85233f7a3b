package dev.holdfast.compoundcommit.notice;

import dev.holdfast.clusterstate.ShardId;
import java.io.IOException;

/// The search tier's ear: what indexing nodes call.
public interface SearchNotices {
  /// Opens the commit (when newer than what is open) and returns what is still in use. When this
  /// returns, every later search of the copy sees the commit. An older notice than the newest
  /// changes nothing but learns of uploads.
  InUse commit(CommitNotice notice) throws IOException;

  /// The shard is gone from this indexing node (closed, deleted, failed): the copy is closed.
  void closed(ShardId shard);
}
