/// What the cluster knows of itself (§2.2, §5): the lease, terms, and the metadata of indices, all
/// in the object store. The words for indices and shards that every later room uses live here.
@NullMarked
package dev.holdfast.clusterstate;

import org.jspecify.annotations.NullMarked;
