/// The search tier of one node, and searching from any node (§3, §4.1). [SearchTier] holds this
/// node's search copies; [Coordinator] is what the APIs call ([Searches]): it finds the copies,
/// asks the nodes that hold them ([SearchCalls]), merges what they say.
///
/// **A search**, through the packages: `coordination` chooses a copy of each shard (`choice`), asks
/// each node for the query phase of all its shards at once (`node`, `call`), merges, and fetches
/// the page's hits where they were found. On the node asked, `execution` acquires each copy's
/// newest commit (`copy`), answers whole requests from memory where it may (`cache`), and keeps the
/// readers until the fetch phase has come. Scrolls and points in time keep commits longer (`held`),
/// on several nodes (`context`).
///
/// **Invariants.** A search copy reads through commits and the blob cache only, never the writer's
/// reader. A search sees one commit of each shard from its query to its fetch phase. It shows no
/// state that a refresh elsewhere has replaced: a node answers only while it may serve (decision
/// 021), and a copy that has just started asks once more for the newest commit. A failed copy is
/// replaced by another; what stays failed is told in `_shards.failures`, never left out. No blob
/// that a reader, a kept commit or a pin needs is deleted, because the answer to each notice says
/// what is still read (§6.1).
///
/// **Threads.** Calls block on virtual threads; query and fetch phases run in the bounded search
/// pool. Opening a commit may read from far away: one at a time for each copy, under a lock that no
/// search takes which has a commit already. Listeners of the cluster state only start and end
/// tasks.
///
/// **What may fail.** 503 `no_shard_available_action_exception` when no copy of a shard can be
/// asked in time, 404 `search_context_missing_exception` when a kept commit is gone, 429 when the
/// pool or a budget is full, `task_cancelled_exception` when the client has left. A search waits
/// for nothing without a bound.
@NullMarked
package dev.holdfast.search;

import org.jspecify.annotations.NullMarked;
