/// What the cache reads and how it is asked: an immutable sequence of bytes, the ranges that come
/// along with its directory, the checksums of its pages, and the door through which Lucene's inputs
/// are opened. Implementations of [BlobInputs] may be called from any thread.
@NullMarked
package dev.holdfast.blobcache.blob;

import org.jspecify.annotations.NullMarked;
