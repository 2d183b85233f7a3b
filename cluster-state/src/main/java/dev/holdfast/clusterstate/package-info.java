/// What the cluster knows of itself (§2.2): [ClusterState], the metadata of all indices, members,
/// and where each shard lives, at one version. These are the words that every later room uses:
/// [IndexId], [ShardId], [IndexMetadata], [ShardAssignment], [Member].
///
/// **Invariants.** Everything here is immutable and valid from the constructor on. A version is
/// made by one leader under one term and follows the version before it; it is durable in the store
/// before anybody is told of it. A shard's primary term grows whenever it gets an owner, and only
/// then. What a newer build wrote and this one does not know is kept as it was
/// ([UnknownStateMembers]), and new formats are written only when [Formats] says that every member
/// reads them (decision 022).
///
/// **Who calls what.** [Metadata] is all that the rest of a node sees. `current()` is one read of a
/// volatile and may be called anywhere, also in hot paths. `update` blocks until the change is
/// durable and has been applied by every listener of this node: never call it from a listener, from
/// a pool that indexes or searches, or under a lock. A change is a function of the state that it is
/// given; it may be run more than once, and again on another member, so it has no side effects.
/// Listeners are called in order of versions from one thread and must not block.
///
/// **What may fail.** An update is rejected by the change itself (its `Refusal` is thrown to the
/// caller and nothing is changed), by a full queue (429), or because no leader takes it within its
/// time (503; whether it took place is not known then, so a change looks at what it finds).
///
/// **Around it**: `lease` (who leads), `log` (versions in the store), `json` (their form),
/// `membership` (leader and followers, §5), `allocation` (which member holds which shard), `local`
/// (the data folder). What the state knows of blobs and logs ([UploadMarks], [LogBounds]) proves to
/// a recovery that nothing is missing (decision 018).
@NullMarked
package dev.holdfast.clusterstate;

import org.jspecify.annotations.NullMarked;
