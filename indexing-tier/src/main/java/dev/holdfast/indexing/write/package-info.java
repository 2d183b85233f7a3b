/// One request's writes to one shard: runs of unique ids, each scanned without a lock into Lucene
/// columns and applied as one batch, tried again where the mapping had to grow or an update lost a
/// race. Called on the request's thread; scanning runs in the pool `writing`. Documents that
/// introduce fields first change the mapping through the cluster state, while no lock is held.
@NullMarked
package dev.holdfast.indexing.write;

import org.jspecify.annotations.NullMarked;
