package dev.holdfast.compoundcommit.notice;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The indexing tier's mouth: what search nodes ask it.
public interface IndexingReads {
  /// Bytes of a batch that is not uploaded yet.
  ///
  /// @return empty when it has been uploaded meanwhile: read the store from now on
  Optional<byte[]> chunk(ShardId shard, BlobId blob, long offset, int length) throws IOException;

  /// Whether the shard's owner is this process.
  default boolean isHere(ShardId shard) {
    return false;
  }

  /// The local file that holds a Lucene file of a batch not uploaded yet, when the caller is the
  /// same process: mapped directly instead of copied in chunks. Empty when uploaded meanwhile, not
  /// local, or so small that it has no file of its own.
  Optional<Path> localFile(ShardId shard, String file);

  /// The document of that id as of now, searchable or not (real-time get, §4.1).
  ///
  /// @throws dev.holdfast.world.Refusal when the shard is not here
  RealTimeDocument get(ShardId shard, String id) throws IOException;

  /// The newest commit that a refresh may have been answered for. From now on the asking copy may
  /// read what it names.
  ///
  /// @param member the search node that asks
  /// @param stateVersion of the cluster state that the node knows its copy from: the answer comes
  ///   from an owner that knows it too, and so tells the copy of everything newer
  /// @throws dev.holdfast.world.Refusal when the shard is not here
  CommitNotice newest(ShardId shard, String member, long stateVersion)
      throws IOException, InterruptedException;

  /// A search copy is being searched, after a pause or for a while: makes searchable what is not,
  /// when nobody did it by schedule, and does it by schedule from now on.
  void searched(ShardId shard) throws IOException, InterruptedException;

  /// Puts every commit of the shard into the store that is not there yet; returns when they are.
  void upload(ShardId shard) throws IOException, InterruptedException;

  /// A document of a real-time get.
  ///
  /// @param source null when the document does not exist, or its index keeps no source
  /// @param routing null when none was given
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record RealTimeDocument(
      boolean exists,
      long seqNo,
      long primaryTerm,
      long version,
      @Nullable String routing,
      byte @Nullable [] source) {
    /// No such document.
    public static RealTimeDocument missing() {
      return new RealTimeDocument(false, -2, 0, -1, null, null);
    }
  }
}
