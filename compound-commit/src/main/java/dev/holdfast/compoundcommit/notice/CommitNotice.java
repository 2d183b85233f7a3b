package dev.holdfast.compoundcommit.notice;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import java.util.Optional;

/// "This commit is there to be searched." Sent only when every operation in it is durable in the
/// log, and again when the blob that holds its newest files has been uploaded.
///
/// @param newestUploaded blobs up to this one are in the store; later ones are served by the
///   indexing node as chunks; empty: nothing is uploaded yet
/// @param stateVersion the cluster state that the commit was made under: an older one may lack
///   fields that its documents have
/// @param ownersTerm the primary term under which the sender owns the shard; the commit of a hollow
///   shard may have been made under an earlier one
public record CommitNotice(
    ShardId shard,
    CompoundCommit commit,
    Optional<BlobId> newestUploaded,
    long stateVersion,
    long ownersTerm) {
  /// A notice of a commit that needs no particular cluster state.
  public CommitNotice(ShardId shard, CompoundCommit commit, Optional<BlobId> newestUploaded) {
    this(shard, commit, newestUploaded, 0, commit.primaryTerm());
  }
}
