package dev.holdfast.benchmark;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// An indexing node of which nothing is needed: all is uploaded.
final class NoChunks implements IndexingReads {
  @Override
  public Optional<byte[]> chunk(ShardId shard, BlobId blob, long offset, int length) {
    return Optional.empty();
  }

  @Override
  public Optional<Path> localFile(ShardId shard, String file) {
    return Optional.empty();
  }

  @Override
  public RealTimeDocument get(ShardId shard, String id) {
    return RealTimeDocument.missing();
  }

  @Override
  public CommitNotice newest(ShardId shard, String member, long stateVersion) throws IOException {
    throw new IOException("there is no indexing node");
  }

  @Override
  public void searched(ShardId shard) {
    // nothing is left to be made searchable
  }

  @Override
  public void upload(ShardId shard) {
    // all is uploaded
  }
}
