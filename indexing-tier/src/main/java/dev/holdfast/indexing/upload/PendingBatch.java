package dev.holdfast.indexing.upload;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import java.util.List;

/// A virtual batch that is not in the store yet (§4.1), for people.
///
/// @param bytes of its files so far
/// @param ageMillis since its first commit
/// @param isFrozen it takes no more commits and waits for its upload
/// @param commits oldest first
public record PendingBatch(
    BlobId id, long bytes, long ageMillis, boolean isFrozen, List<CompoundCommit> commits) {
  public PendingBatch {
    commits = List.copyOf(commits);
  }
}
