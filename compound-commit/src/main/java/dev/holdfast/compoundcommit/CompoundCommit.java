package dev.holdfast.compoundcommit;

import java.util.Collections;
import java.util.NoSuchElementException;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// One Lucene commit of a shard as it lies in the store (§4): the commit's header. Immutable.
///
/// @param primaryTerm of the owner that made it
/// @param generation Lucene's generation of the commit; `segments_N` is its file
/// @param segmentsFile the name of that file
/// @param translog where replay begins on top of this commit
/// @param maxSeqNo every operation of the shard up to this sequence number, and perhaps some above,
///   is in the commit; -1: none
/// @param documents live documents
/// @param createdMillis wall time, for people
/// @param files every file of the commit, by name
public record CompoundCommit(
    long primaryTerm,
    long generation,
    String segmentsFile,
    TranslogPosition translog,
    long maxSeqNo,
    long documents,
    long createdMillis,
    SortedMap<String, FileLocation> files) {

  public CompoundCommit {
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
  }

  /// Where a file of the commit lies.
  public FileLocation file(String name) {
    FileLocation location = files.get(name);
    if (location == null) {
      throw new NoSuchElementException("not a file of commit " + generation + ": " + name);
    }
    return location;
  }

  /// The blob it was batched in: the newest of its blobs, which holds its segments file.
  public BlobId home() {
    return file(segmentsFile).blob();
  }

  /// The blobs that hold its files.
  public SortedSet<BlobId> blobs() {
    SortedSet<BlobId> blobs = new TreeSet<>();
    files.values().forEach(location -> blobs.add(location.blob()));
    return blobs;
  }

  /// Bytes of all its files.
  public long bytes() {
    return files.values().stream().mapToLong(FileLocation::length).sum();
  }
}
