package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.indexing.call.ShardOwner;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// An owner of shards to whom some writes that are sent again are new.
///
/// @param conditional whether it is those on a condition, or the others
record ForgetfulOwner(ShardOwner here, boolean conditional) implements ShardOwner {
  @Override
  public List<WriteResult> write(
      ShardId shard, WriteAttempt attempt, List<WriteOperation> operations)
      throws IOException, InterruptedException {
    boolean isForgotten =
        attempt.number() > 1
            && operations.stream().anyMatch(write -> isConditional(write) == conditional);
    return here.write(shard, isForgotten ? WriteAttempt.ONLY : attempt, operations);
  }

  private static boolean isConditional(WriteOperation write) {
    return write.kind() == Kind.CREATE || !write.condition().equals(Condition.NONE);
  }

  @Override
  public void refresh(ShardId shard, long stateVersion) throws IOException, InterruptedException {
    here.refresh(shard, stateVersion);
  }

  @Override
  public void awaitRefresh(ShardId shard) throws IOException, InterruptedException {
    here.awaitRefresh(shard);
  }

  @Override
  public void flush(ShardId shard, long stateVersion) throws IOException, InterruptedException {
    here.flush(shard, stateVersion);
  }

  @Override
  public void upload(ShardId shard) throws IOException, InterruptedException {
    here.upload(shard);
  }

  @Override
  public void forceMerge(ShardId shard, int maxSegments, boolean onlyExpungeDeletes)
      throws IOException, InterruptedException {
    here.forceMerge(shard, maxSegments, onlyExpungeDeletes);
  }

  @Override
  public void awaitOpen(ShardId shard) throws IOException, InterruptedException {
    here.awaitOpen(shard);
  }

  @Override
  public ShardStats stats(ShardId shard) throws IOException {
    return here.stats(shard);
  }

  @Override
  public RealTimeDocument get(ShardId shard, String id) throws IOException {
    return here.get(shard, id);
  }

  @Override
  public Optional<byte[]> chunk(ShardId shard, BlobId blob, long offset, int length)
      throws IOException {
    return here.chunk(shard, blob, offset, length);
  }

  @Override
  public Optional<Path> localFile(ShardId shard, String file) {
    return here.localFile(shard, file);
  }

  @Override
  public CommitNotice newest(ShardId shard, String member, long stateVersion)
      throws IOException, InterruptedException {
    return here.newest(shard, member, stateVersion);
  }

  @Override
  public void searched(ShardId shard) throws IOException, InterruptedException {
    here.searched(shard);
  }
}
