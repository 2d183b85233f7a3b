/// Blobs that somebody outside the two tiers holds (§6.1): `pins/...` objects of points in time and
/// snapshots. Who deletes a blob reads the pins after the blob has become loose, so none comes too
/// late; pins that nobody closed are deleted when they are over.
@NullMarked
package dev.holdfast.indexing.pin;

import org.jspecify.annotations.NullMarked;
