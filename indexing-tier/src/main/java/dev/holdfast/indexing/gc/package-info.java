/// Deletion of blobs (§6.1): a blob goes when no commit, reader, copy or pin has held it for the
/// whole grace, and the lease, read after the last look, still names this node. The same for shards
/// that are hollow and for indices that were deleted.
@NullMarked
package dev.holdfast.indexing.gc;

import org.jspecify.annotations.NullMarked;
