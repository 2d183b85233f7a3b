package dev.holdfast.compoundcommit.notice;

import dev.holdfast.clusterstate.ShardId;
import java.io.IOException;

/// One search node's ear: what indexing nodes call.
public interface SearchNotices {
  /// Opens the commit (when newer than what is open) and returns what is still in use. When this
  /// returns, every later search of the copy sees the commit. An older notice than the newest
  /// changes nothing but learns of uploads. A node that holds no copy opens nothing. A newer commit
  /// of an owner that the node's cluster state says is none any more is refused.
  InUse commit(CommitNotice notice) throws IOException;

  /// What is still read of the shard on this node: asked before blobs are deleted, also of nodes
  /// that hold no copy any more but may not have ended all searches of one (§6.1). Refused while
  /// the node has asked for a commit and does not know yet which it gets.
  ///
  /// @param stateVersion of the cluster state that names the asking node as the owner: it is waited
  ///   for, so that no notice that an earlier owner sent is opened after the answer
  InUse inUse(ShardId shard, long stateVersion) throws IOException;
}
