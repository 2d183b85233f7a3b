package dev.holdfast.compoundcommit.notice;

import dev.holdfast.compoundcommit.BlobId;
import java.util.SortedSet;

/// The answer to a notice: what the search copy still reads (§6.1).
///
/// @param generations commits (by Lucene generation) open for searches, points in time included
/// @param blobs the blobs of those commits
public record InUse(SortedSet<Long> generations, SortedSet<BlobId> blobs) {}
