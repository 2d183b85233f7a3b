/// Reads ranges of blobs: a read that takes longer than 95 of 100 others is sent a second time, and
/// each page is compared with its checksum, however the range lies. Called without any lock; blocks
/// as long as the store does.
@NullMarked
package dev.holdfast.blobcache.read;

import org.jspecify.annotations.NullMarked;
