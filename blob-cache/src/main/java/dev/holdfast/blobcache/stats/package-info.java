/// What the cache did, how long requests took, and which blobs were found damaged. Counters are
/// written without locks; sums are of no one moment.
@NullMarked
package dev.holdfast.blobcache.stats;

import org.jspecify.annotations.NullMarked;
