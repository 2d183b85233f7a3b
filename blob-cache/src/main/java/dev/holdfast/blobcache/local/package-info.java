/// Blobs that are files of this machine: each is mapped once for as long as one of its inputs is
/// open, and its pages are checked when they are first touched. Safe for any thread.
@NullMarked
package dev.holdfast.blobcache.local;

import org.jspecify.annotations.NullMarked;
