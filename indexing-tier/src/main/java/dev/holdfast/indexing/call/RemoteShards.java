package dev.holdfast.indexing.call;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.compoundcommit.call.Caller;
import dev.holdfast.compoundcommit.call.WireValues.Done;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The indexing shards of another node, by calls.
record RemoteShards(Caller node) implements ShardOwner {
  @Override
  public List<WriteResult> write(
      ShardId shard, WriteAttempt attempt, List<WriteOperation> operations)
      throws IOException, InterruptedException {
    return IndexingCalls.WRITE.ask(node, new IndexingCalls.Write(shard, attempt, operations));
  }

  @Override
  public void refresh(ShardId shard, long stateVersion, long dividedSince, boolean awaits)
      throws IOException, InterruptedException {
    if (dividedSince != ANY) {
      Done _ =
          IndexingCalls.REFRESH_DIVIDED.ask(
              node, new IndexingCalls.Refresh(shard, stateVersion, dividedSince, awaits));
    } else if (awaits) {
      Done _ = IndexingCalls.AWAIT_REFRESH.ask(node, shard);
    } else {
      Done _ = IndexingCalls.REFRESH.ask(node, new IndexingCalls.AtState(shard, stateVersion));
    }
  }

  @Override
  public void flush(ShardId shard, long stateVersion) throws IOException, InterruptedException {
    Done _ = IndexingCalls.FLUSH.ask(node, new IndexingCalls.AtState(shard, stateVersion));
  }

  @Override
  public void upload(ShardId shard) throws IOException, InterruptedException {
    Done _ = IndexingCalls.UPLOAD.ask(node, shard);
  }

  @Override
  public void forceMerge(ShardId shard, int maxSegments, boolean onlyExpungeDeletes)
      throws IOException, InterruptedException {
    Done _ =
        IndexingCalls.FORCE_MERGE.ask(
            node, new IndexingCalls.ForceMerge(shard, maxSegments, onlyExpungeDeletes));
  }

  @Override
  public void awaitOpen(ShardId shard) throws IOException, InterruptedException {
    Done _ = IndexingCalls.AWAIT_OPEN.ask(node, shard);
  }

  @Override
  public ShardStats stats(ShardId shard) throws IOException {
    return ask(IndexingCalls.STATS, shard);
  }

  @Override
  public RealTimeDocument get(ShardId shard, long dividedSince, String id) throws IOException {
    return ask(IndexingCalls.GET, new IndexingCalls.Id(shard, id, dividedSince));
  }

  @Override
  public Optional<byte[]> chunk(ShardId shard, BlobId blob, long offset, int length)
      throws IOException {
    return ask(IndexingCalls.CHUNK, new IndexingCalls.Chunk(shard, blob, offset, length));
  }

  @Override
  public Optional<Path> localFile(ShardId shard, String file) {
    return Optional.empty();
  }

  @Override
  public CommitNotice newest(ShardId shard, String member, long stateVersion)
      throws IOException, InterruptedException {
    return IndexingCalls.NEWEST.ask(node, new IndexingCalls.Newest(shard, member, stateVersion));
  }

  @Override
  public void searched(ShardId shard) throws IOException, InterruptedException {
    Done _ = IndexingCalls.SEARCHED.ask(node, shard);
  }

  private <Q, A> A ask(Call<Q, A> call, Q question) throws IOException {
    try {
      return call.ask(node, question);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while an indexing node was asked");
    }
  }
}
