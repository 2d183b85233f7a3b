/// The indexing tier of one process (§3): [IndexingTier] has every shard of every open index that
/// the cluster state gives to this node. It opens them, moves them, closes them, and answers for
/// them.
///
/// **A shard's write**, through the packages: a request for a shard comes in by `call` (or from
/// this node), finds the open shard in `relocation`, passes the shard's gate (`write.WriteGate`),
/// is cut into runs of unique ids and scanned without a lock (`write`), judged against the newest
/// versions under striped locks (`version`), given to the log and to Lucene as one batch
/// (`engine`), remembered in case it is sent again (`resend`), and answered when it is durable.
///
/// **A commit's way**: `refresh` makes a Lucene commit (§4.1), appends it to the batch in `upload`,
/// tells the search copies by `notice` once its operations are durable; `upload` puts whole batches
/// into the store, `mark` tells the cluster state of it (decision 018), `gc` deletes what nothing
/// holds (§6.1), `sweep` what no owner knows of. `recovery` opens a shard from the newest commit
/// and the log of its last owner (§5).
///
/// **Invariants.** What is acknowledged, or told in any other answer, is durable (decision 015). A
/// shard writes under the primary term that the state gave its owner; nothing leaves the node under
/// a term before a first commit that points to this node's log is uploaded. What only the log has
/// can be replayed within a bound of time (decision 010). A shard that fails does nothing more and
/// is opened anew; others go on.
///
/// **Threads.** Requests block on virtual threads. Parsing and Lucene work run in the bounded pool
/// `writing`, commits in `refreshing`, merges in `merging`; nothing waits for the store or the
/// network in a pool. Listeners of the cluster state only note what is wanted; one task for each
/// shard does it.
///
/// **What may fail.** 429 when memory, disk or log have no room, before anything is changed; 503
/// when the shard is opening, moving or waits for the store; a shard that is not here is "ask
/// another node", which routing catches.
///
/// Packages go one way: `operation`, `node` and `pin` at the bottom, then `version`, `engine`,
/// `merge`, `resend`, `write`, `notice`, `upload`, `gc`, `refresh`, then `shard`, `recovery`,
/// `relocation`, and this one.
@NullMarked
package dev.holdfast.indexing;

import org.jspecify.annotations.NullMarked;
