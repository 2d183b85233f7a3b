/// `/_searchable_snapshots/…`: what `_mount` made, and the cache that it is read through. An index
/// that is mounted says in its settings of which snapshot it is; else it is an index like others,
/// and its blobs lie in the cache of all shards.
@NullMarked
package dev.holdfast.api.snapshot.mount;

import org.jspecify.annotations.NullMarked;
