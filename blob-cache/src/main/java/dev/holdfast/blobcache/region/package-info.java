/// The regions on disk, their budget and their eviction (§3.2): least frequently used first, with
/// frequencies that decay. An evicted region is retired, and unmapped when its readers have had
/// time to leave. Not thread-safe: the cache's lock guards all of it but what the classes say.
@NullMarked
package dev.holdfast.blobcache.region;

import org.jspecify.annotations.NullMarked;
