/// A shard's blobs in the object store (§4): finding the newest commit with one LIST and one suffix
/// GET, with proof that it is the newest and whole; uploading a batch; and who holds which blob
/// (§6.1). Calls block on the store and may be made from any thread. A blob of our name that
/// another wrote is an error of ownership, never overwritten.
@NullMarked
package dev.holdfast.compoundcommit.store;

import org.jspecify.annotations.NullMarked;
