/// Brings the shards of a node to where the cluster state wants them: opens, reopens after a
/// failure, gives away (§3.2), closes, and lets idle shards become hollow. A slot for each shard
/// does one thing at a time on a task of its own; requests find the open shard here, wait for one
/// that is opening, and wake a hollow one.
@NullMarked
package dev.holdfast.indexing.relocation;

import org.jspecify.annotations.NullMarked;
