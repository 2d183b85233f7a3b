package dev.holdfast.compoundcommit.notice;

import dev.holdfast.compoundcommit.BlobId;
import java.util.SortedSet;
import java.util.TreeSet;

/// The answer to a notice: what the search copy still reads (§6.1), and whether anybody searches
/// it.
///
/// @param generations commits (by Lucene generation) open for searches, points in time included
/// @param blobs the blobs of those commits
/// @param sinceSearchMillis how long ago the copy was last searched; -1 when it never was
public record InUse(SortedSet<Long> generations, SortedSet<BlobId> blobs, long sinceSearchMillis) {
  /// Nothing is read here.
  public static final InUse NOTHING = new InUse(new TreeSet<>(), new TreeSet<>());

  public InUse(SortedSet<Long> generations, SortedSet<BlobId> blobs) {
    this(generations, blobs, -1);
  }

  /// The same with more blobs.
  public InUse with(SortedSet<BlobId> others) {
    if (others.isEmpty()) {
      return this;
    }
    SortedSet<BlobId> all = new TreeSet<>(blobs);
    all.addAll(others);
    return new InUse(generations, all, sinceSearchMillis);
  }

  public InUse searched(long millisAgo) {
    return new InUse(generations, blobs, millisAgo);
  }
}
