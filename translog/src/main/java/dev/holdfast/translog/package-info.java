/// The node-wide compound translog (§5, §6.2). Operations of all shards of a node gather in one
/// file; the file is sealed and uploaded as `log/<ephemeral id>/<ordinal>`, and an operation is
/// durable when its file, and every file before it, is in the store.
///
/// **Group commit.** A file is sealed at once while fewer than two uploads are in flight and the
/// request budget allows, else when it is 200 ms old or 16 MiB large ([LogConfig]). So a lone write
/// waits for one PUT, and a busy node pays for few.
///
/// **Invariants.**
///
/// - Names are consecutive from 0 and created with put-if-absent. That is the whole of fencing: who
///   evicts a node puts a fence at the name it would use next, and the node's own upload then fails
///   ([Log.EvictedException]): it acknowledges nothing more, ever. No clock and no lease is read to
///   acknowledge a write.
/// - Files are acknowledged in order, without gaps. Files may lie in the store behind one that does
///   not yet, at most `NodeLog.AHEAD_MAX` of them.
/// - The newest durable file is never deleted: it shows where the log ends. Others go oldest first,
///   when no shard needs them and the cluster state knows that they may be missing
///   ([LogReferences], decision 018).
/// - Every byte of a file is covered by a checksum; the directory lies at both ends, so that one
///   damaged place keeps no shard from its frame.
/// - An operation carries which write it is part of ([WriteOrigin]), so that a write that is sent
///   again is recognised by whoever owns the shard by then (decision 016).
///
/// **Who calls what, from which thread.** [Log] is what a shard sees. `append` copies the bytes
/// under the log's lock and returns; it never refuses, so `requireRoom` is asked before an
/// operation becomes part of a shard. `await` blocks, on the caller's (virtual) thread, without a
/// limit of its own unless one is given: who gave up sooner would not know what became of the
/// write. `isDurable` is one read of a volatile. Uploads run on virtual threads of the world's
/// tasks, not on callers.
///
/// **What may fail.** 429 or 503 from `requireRoom`: too many bytes wait, or the store has been
/// silent or refusing for too long. A PUT is retried indefinitely by the store below. A fenced log
/// ends the node.
///
/// **Recovery.** [LogReplay] reads a dead node's log for one shard: it fences the log first, so
/// that what it found is all there will ever be; it proves by the cluster state's bounds and by the
/// files themselves that none is missing that may hold an operation of the shard, and names the
/// missing object otherwise; then it hands out the shard's operations in order. Shards that recover
/// at the same time read ends of files once. [LogSweep] deletes logs of dead nodes when every shard
/// has a commit of its own newer than them; fences stay as long as a sleeper might wake.
///
/// Checked by `NodeLogTest`, by `FencingExplorationTest` in every order of a small world, by the
/// simulation and by chaos.
@NullMarked
package dev.holdfast.translog;

import org.jspecify.annotations.NullMarked;
