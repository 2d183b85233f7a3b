package dev.holdfast.indexing.recovery;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TranslogPosition;
import java.util.SortedMap;
import java.util.TreeMap;

/// A commit of another shard as its copy lies in the folder of the shard that inherits it: in blobs
/// of other names, and with nothing to replay, for the log says nothing of the new shard.
final class RenamedCommit {
  private RenamedCommit() {}

  /// @param names of the copies, by the blobs that the commit names
  static CompoundCommit of(CompoundCommit commit, SortedMap<BlobId, BlobId> names) {
    SortedMap<String, FileLocation> files = new TreeMap<>();
    commit
        .files()
        .forEach((file, place) -> {
          BlobId blob = names.getOrDefault(place.blob(), place.blob());
          files.put(file, new FileLocation(blob, place.offset(), place.length()));
        });
    return new CompoundCommit(
        commit.primaryTerm(),
        commit.generation(),
        commit.segmentsFile(),
        TranslogPosition.NOTHING_TO_REPLAY,
        commit.maxSeqNo(),
        commit.documents(),
        commit.createdMillis(),
        files);
  }
}
