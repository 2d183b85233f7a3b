package dev.holdfast.indexing.gc;

import dev.holdfast.compoundcommit.BlobId;
import java.util.List;

/// A blob in the store, and why it is still there (`_holdfast/gc/explain`).
///
/// @param heldBy who holds it; empty: nobody, it goes when the grace is over
/// @param looseMillis since when nobody is known to hold it; -1 while somebody does, or nobody has
///   looked
/// @param graceMillis what is left of the grace; 0 when somebody holds it
public record BlobRetention(
    BlobId blob, long bytes, List<String> heldBy, long looseMillis, long graceMillis) {
  public BlobRetention {
    heldBy = List.copyOf(heldBy);
  }
}
