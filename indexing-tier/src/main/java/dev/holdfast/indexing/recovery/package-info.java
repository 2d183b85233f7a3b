/// Opens a shard from the store (§5): the newest commit is adopted where it lies, the log it points
/// at is fenced and replayed on top in lanes side by side, and a first commit of our own, which
/// points to our log, is uploaded before the first write. What the cluster state knows and the
/// store lacks stops that shard alone, by name (decision 018). Also how a cloned, split or shrunk
/// shard begins (decision 011), and how a lost cluster state is rebuilt from blobs (decision 017).
@NullMarked
package dev.holdfast.indexing.recovery;

import org.jspecify.annotations.NullMarked;
