/// The node-wide compound translog (§5, §6.2): operations of all shards of a node in one file,
/// uploaded by group commit, acknowledged when durable and in order, fenced by the names of its
/// files, replayed by whoever recovers a shard.
@NullMarked
package dev.holdfast.translog;

import org.jspecify.annotations.NullMarked;
