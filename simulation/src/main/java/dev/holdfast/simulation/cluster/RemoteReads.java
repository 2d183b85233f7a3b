package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// The indexing tier as a search node elsewhere sees it: no local files of its.
record RemoteReads(IndexingReads indexing) implements IndexingReads {
  @Override
  public Optional<byte[]> chunk(ShardId shard, BlobId blob, long offset, int length)
      throws IOException {
    return indexing.chunk(shard, blob, offset, length);
  }

  @Override
  public Optional<Path> localFile(ShardId shard, String file) {
    return Optional.empty();
  }

  @Override
  public RealTimeDocument get(ShardId shard, String id) throws IOException {
    return indexing.get(shard, id);
  }

  @Override
  public CommitNotice newest(ShardId shard, String member, long stateVersion)
      throws IOException, InterruptedException {
    return indexing.newest(shard, member, stateVersion);
  }

  @Override
  public void searched(ShardId shard) throws IOException, InterruptedException {
    indexing.searched(shard);
  }

  @Override
  public void upload(ShardId shard) throws IOException, InterruptedException {
    indexing.upload(shard);
  }
}
