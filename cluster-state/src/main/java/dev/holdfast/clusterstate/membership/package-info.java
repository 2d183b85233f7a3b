/// This process as a member of its cluster (§2.2, §5): [ClusterNode] joins, then leads ([Leading])
/// or follows ([Following]).
///
/// A leader is the only one that makes states. It takes changes from its queue, all that wait into
/// one version, writes that to the store, tells every member ([Followers]), and only then lets
/// callers go on. It evicts in this order: no more confirmation, a higher node-left generation in
/// the lease, a fence in the member's log, then the state forgets it ([Evictions]).
///
/// Who may answer a search without asking anybody is bounded by two clocks ([Membership], decision
/// 021): since the leader confirmed this node, and since that leader saw its lease. Steps that
/// decide (doubt, eviction, yielding, batches of updates) are pure functions and are tested as
/// tables. Each of the others says in its docs which task runs it; what they share is guarded by
/// one lock each. Who loses membership calls `onEvicted` once, and the process stops.
@NullMarked
package dev.holdfast.clusterstate.membership;

import org.jspecify.annotations.NullMarked;
