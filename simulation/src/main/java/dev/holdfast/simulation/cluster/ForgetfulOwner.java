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

/// An owner of shards that forgets: some writes that are sent again are new to it, or it answers
/// for a shard that was divided as if that had all its documents still.
///
/// @param writes that are new to it
/// @param forgetsDivisions whether it answers so
record ForgetfulOwner(ShardOwner here, Forgotten writes, boolean forgetsDivisions)
    implements ShardOwner {
  static final Forgotten NO_WRITES = (_, _) -> false;

  /// Those on a condition.
  static final Forgotten CONDITIONAL =
      (_, writes) -> writes.stream().anyMatch(ForgetfulOwner::isConditional);

  static final Forgotten UNCONDITIONAL =
      (_, writes) -> !writes.stream().allMatch(ForgetfulOwner::isConditional);

  /// Those that were sent to the source of a shard before, where an index begins with one shard.
  static final Forgotten OF_ADDED_SHARDS = (shard, _) -> shard.number() > 0;

  /// Which writes that are sent again are new.
  @FunctionalInterface
  interface Forgotten {
    boolean areNew(ShardId shard, List<WriteOperation> writes);
  }

  @Override
  public List<WriteResult> write(
      ShardId shard, WriteAttempt attempt, List<WriteOperation> operations)
      throws IOException, InterruptedException {
    boolean isForgotten = attempt.number() > 1 && writes.areNew(shard, operations);
    return here.write(shard, isForgotten ? WriteAttempt.ONLY : attempt, operations);
  }

  private static boolean isConditional(WriteOperation write) {
    return write.kind() == Kind.CREATE || !write.condition().equals(Condition.NONE);
  }

  @Override
  public void refresh(ShardId shard, long stateVersion, long dividedSince, boolean awaits)
      throws IOException, InterruptedException {
    here.refresh(shard, stateVersion, forgetsDivisions ? ANY : dividedSince, awaits);
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
  public RealTimeDocument get(ShardId shard, long dividedSince, String id) throws IOException {
    return here.get(shard, forgetsDivisions ? ANY : dividedSince, id);
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
