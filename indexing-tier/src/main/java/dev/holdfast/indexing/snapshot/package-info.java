/// What a snapshot is (decision 027): one object that says which commits of which shards it has,
/// all that the cluster knew of their indices, and how far it is. It is the pin of their blobs too.
/// Records and their bytes only, without any store.
@NullMarked
package dev.holdfast.indexing.snapshot;

import org.jspecify.annotations.NullMarked;
