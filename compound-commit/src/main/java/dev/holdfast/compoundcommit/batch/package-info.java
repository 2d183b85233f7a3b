/// The virtual batched compound commit (VBCC, §4): commits of a shard that are not uploaded yet,
/// laid out as the blob they will become. [VirtualBatch] keeps the files open, so that their bytes
/// stay when Lucene deletes them. One thread appends at a time; chunks may be read by any thread
/// until it is closed, later ones are refused with `AlreadyClosedException`. Local disks rot:
/// whatever is read is compared with checksums made when the commit was appended.
@NullMarked
package dev.holdfast.compoundcommit.batch;

import org.jspecify.annotations.NullMarked;
