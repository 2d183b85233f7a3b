/// The search tier (§3, §4.1): search shards that read only through commits and the blob cache, the
/// query and fetch phases over them, the merge, real-time get.
@NullMarked
package dev.holdfast.search;

import org.jspecify.annotations.NullMarked;
