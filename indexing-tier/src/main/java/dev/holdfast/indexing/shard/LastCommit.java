package dev.holdfast.indexing.shard;

import dev.holdfast.compoundcommit.CompoundCommit;

/// What a shard ends with that is given away or divided.
///
/// @param commit its last, which needs no replay
/// @param shutNanos since when writes wait
public record LastCommit(CompoundCommit commit, long shutNanos) {}
