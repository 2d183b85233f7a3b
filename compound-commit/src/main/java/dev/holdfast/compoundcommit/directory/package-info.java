/// Lucene directories over commits (§4, §4.1). [IndexingDirectory] is what a shard's writer works
/// on: new files are local, uploaded ones lie in blobs, for a while in both; nothing is synced, the
/// log is what is durable. [SearchDirectory] is what readers of a search copy open commits through:
/// from blobs, or from the indexing node while a batch is not uploaded. Both know which blobs open
/// inputs still read, so that none is deleted under a read. Safe for any thread, as Lucene's
/// directories are.
@NullMarked
package dev.holdfast.compoundcommit.directory;

import org.jspecify.annotations.NullMarked;
