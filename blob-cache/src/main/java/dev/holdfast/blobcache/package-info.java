/// The block-based cache of blob bytes on local disk (§3.2): regions, sub-range fills, admission
/// and eviction, single flight, prefetch. Lucene reads through it; on the local-folder store it
/// maps the blobs themselves and caches nothing.
@NullMarked
package dev.holdfast.blobcache;

import org.jspecify.annotations.NullMarked;
