/// What the cluster state is told of the store (decision 018): the newest blob of each shard of
/// this node and the bounds of its log, all together and seldom, before a first acknowledgement at
/// once; and which object a shard lacks that cannot be opened. One task of the node tells; others
/// wait for what it has told.
@NullMarked
package dev.holdfast.indexing.mark;

import org.jspecify.annotations.NullMarked;
