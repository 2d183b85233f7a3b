/// The search copies of this node (§4.1): those that the cluster state puts here, and those it has
/// taken away until their last search ends. A copy opens newer commits as notices come, shares
/// unchanged segments with the reader before within one primary term only, and after a pause has
/// its shard refreshed before it is searched. It tells which blobs it reads in the answer to each
/// notice. `acquire` and `release` come in pairs; the reader lives until the last release.
@NullMarked
package dev.holdfast.search.copy;

import org.jspecify.annotations.NullMarked;
