package dev.holdfast.compoundcommit.store;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import java.util.List;

/// What an uploaded blob holds, for people.
///
/// @param bytes of the whole blob
/// @param hotBytes of its hot region, as stored
/// @param commits oldest first
public record BlobContents(BlobId id, long bytes, int hotBytes, List<CompoundCommit> commits) {
  public BlobContents {
    commits = List.copyOf(commits);
  }
}
