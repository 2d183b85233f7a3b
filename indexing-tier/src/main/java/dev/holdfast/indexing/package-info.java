/// The indexing tier (§3, §4.1, §5, §6.1): the engine of a shard, refresh, upload, recovery,
/// deletion of blobs.
@NullMarked
package dev.holdfast.indexing;

import org.jspecify.annotations.NullMarked;
