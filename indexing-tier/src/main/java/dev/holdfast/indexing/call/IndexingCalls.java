package dev.holdfast.indexing.call;

import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.compoundcommit.call.Caller;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.compoundcommit.call.WireValues.Done;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.compoundcommit.notice.NoticeCodecs;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.resend.WriteAttempts;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Every call that an indexing node answers, by name.
public final class IndexingCalls {
  private static final Duration SHORT = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration MERGE = Duration.ofHours(1);

  /// Version 2 names the write as the log does: owners of version 1 would do it twice.
  static final Call<Write, List<WriteResult>> WRITE =
      new Call<>(
          "indexing/write",
          new Call.Versions(2, 2),
          Codec.record(
              (out, write) -> {
                WireValues.writeShard(out, write.shard());
                WriteCodecs.ATTEMPT.write(out, write.attempt());
                WireValues.writeList(out, WriteCodecs.OPERATION, write.operations());
              },
              in ->
                  new Write(
                      WireValues.readShard(in),
                      WriteCodecs.ATTEMPT.read(in),
                      WireValues.readList(in, WriteCodecs.OPERATION))),
          WireValues.listOf(WriteCodecs.RESULT),
          LONG);

  static final Call<Id, RealTimeDocument> GET =
      new Call<>(
          "indexing/get",
          Codec.record(
              (out, wanted) -> {
                WireValues.writeShard(out, wanted.shard());
                out.writeString(wanted.id());
                if (wanted.dividedSince() != IndexSplit.NEVER) {
                  out.writeZLong(wanted.dividedSince());
                }
              },
              in ->
                  new Id(
                      WireValues.readShard(in),
                      in.readString(),
                      in.hasMore() ? in.readZLong() : IndexSplit.NEVER)),
          NoticeCodecs.DOCUMENT,
          SHORT);

  static final Call<Chunk, Optional<byte[]>> CHUNK =
      new Call<>(
          "indexing/chunk",
          Codec.record(
              (out, chunk) -> {
                WireValues.writeShard(out, chunk.shard());
                NoticeCodecs.BLOB.write(out, chunk.blob());
                out.writeVLong(chunk.offset());
                out.writeVInt(chunk.length());
              },
              in ->
                  new Chunk(
                      WireValues.readShard(in),
                      NoticeCodecs.BLOB.read(in),
                      in.readVLong(),
                      in.readVInt())),
          Codec.record(
              (out, bytes) -> WireValues.writeBytes(out, bytes.orElse(null)),
              in -> Optional.ofNullable(WireValues.readBytes(in))),
          SHORT);

  static final Call<Newest, CommitNotice> NEWEST =
      new Call<>(
          "indexing/newest",
          Codec.record(
              (out, asked) -> {
                WireValues.writeShard(out, asked.shard());
                out.writeString(asked.member());
                out.writeVLong(asked.stateVersion());
              },
              in -> new Newest(WireValues.readShard(in), in.readString(), in.readVLong())),
          NoticeCodecs.NOTICE,
          SHORT.multipliedBy(2));

  static final Call<ForceMerge, Done> FORCE_MERGE =
      new Call<>(
          "indexing/force-merge",
          Codec.record(
              (out, asked) -> {
                WireValues.writeShard(out, asked.shard());
                out.writeZInt(asked.maxSegments());
                WireValues.writeFlag(out, asked.onlyExpungeDeletes());
              },
              in ->
                  new ForceMerge(WireValues.readShard(in), in.readZInt(), WireValues.readFlag(in))),
          WireValues.DONE,
          MERGE);

  static final Call<ShardId, Done> SEARCHED = ofShard("indexing/searched", SHORT);
  static final Call<AtState, Done> REFRESH = atState("indexing/refresh", LONG);
  static final Call<ShardId, Done> AWAIT_REFRESH = ofShard("indexing/await-refresh", LONG);

  /// Made where the cluster speaks version 4 of its formats, which brought splits.
  static final Call<Refresh, Done> REFRESH_DIVIDED =
      new Call<>(
          "indexing/refresh-divided",
          Codec.record(
              (out, asked) -> {
                WireValues.writeShard(out, asked.shard());
                out.writeVLong(asked.stateVersion());
                out.writeZLong(asked.dividedSince());
                WireValues.writeFlag(out, asked.awaits());
              },
              in ->
                  new Refresh(
                      WireValues.readShard(in),
                      in.readVLong(),
                      in.readZLong(),
                      WireValues.readFlag(in))),
          WireValues.DONE,
          LONG);

  static final Call<AtState, Done> FLUSH = atState("indexing/flush", LONG.multipliedBy(5));
  static final Call<ShardId, Done> UPLOAD = ofShard("indexing/upload", LONG);
  static final Call<ShardId, Done> AWAIT_OPEN =
      ofShard("indexing/await-open", SHORT.multipliedBy(2));

  static final Call<ShardId, ShardStats> STATS =
      new Call<>("indexing/stats", WireValues.SHARD, WriteCodecs.STATS, SHORT);

  private IndexingCalls() {}

  record Write(ShardId shard, WriteAttempt attempt, List<WriteOperation> operations) {}

  record Id(ShardId shard, String id, long dividedSince) {
    /// Of a shard that was never divided.
    Id(ShardId shard, String id) {
      this(shard, id, IndexSplit.NEVER);
    }
  }

  /// @param stateVersion of the cluster state that the owner must know first
  record Refresh(ShardId shard, long stateVersion, long dividedSince, boolean awaits) {}

  record Chunk(ShardId shard, BlobId blob, long offset, int length) {}

  record Newest(ShardId shard, String member, long stateVersion) {}

  record ForceMerge(ShardId shard, int maxSegments, boolean onlyExpungeDeletes) {}

  /// @param stateVersion of the cluster state that the owner must know first
  record AtState(ShardId shard, long stateVersion) {}

  private static Call<AtState, Done> atState(String name, Duration deadline) {
    Codec<AtState> question =
        Codec.record(
            (out, asked) -> {
              WireValues.writeShard(out, asked.shard());
              out.writeVLong(asked.stateVersion());
            },
            in ->
                new AtState(
                    WireValues.readShard(in),
                    in.hasMore() ? in.readVLong() : IndexingShards.ANY_STATE));
    return new Call<>(name, question, WireValues.DONE, deadline);
  }

  private static Call<ShardId, Done> ofShard(String name, Duration deadline) {
    return new Call<>(name, WireValues.SHARD, WireValues.DONE, deadline);
  }

  /// Something to do with a shard.
  @FunctionalInterface
  private interface Doing {
    void run(ShardId shard) throws Exception;
  }

  /// Answers other nodes from now on.
  public static void serve(World world, Network network, ShardOwner here) {
    WriteAttempts attempts = new WriteAttempts(world.sleeper());
    WRITE.serve(
        network,
        write ->
            attempts.run(
                write.shard(),
                write.attempt(),
                () -> here.write(write.shard(), write.attempt(), write.operations())));
    GET.serve(network, wanted -> here.get(wanted.shard(), wanted.dividedSince(), wanted.id()));
    CHUNK.serve(
        network, chunk -> here.chunk(chunk.shard(), chunk.blob(), chunk.offset(), chunk.length()));
    NEWEST.serve(
        network, asked -> here.newest(asked.shard(), asked.member(), asked.stateVersion()));
    FORCE_MERGE.serve(
        network,
        asked -> {
          here.forceMerge(asked.shard(), asked.maxSegments(), asked.onlyExpungeDeletes());
          return Done.DONE;
        });
    serve(network, SEARCHED, here::searched);
    REFRESH.serve(
        network,
        asked -> {
          here.refresh(asked.shard(), asked.stateVersion());
          return Done.DONE;
        });
    serve(network, AWAIT_REFRESH, here::awaitRefresh);
    REFRESH_DIVIDED.serve(
        network,
        asked -> {
          here.refresh(asked.shard(), asked.stateVersion(), asked.dividedSince(), asked.awaits());
          return Done.DONE;
        });
    FLUSH.serve(
        network,
        asked -> {
          here.flush(asked.shard(), asked.stateVersion());
          return Done.DONE;
        });
    serve(network, UPLOAD, here::upload);
    serve(network, AWAIT_OPEN, here::awaitOpen);
    STATS.serve(network, here::stats);
  }

  private static void serve(Network network, Call<ShardId, Done> call, Doing doing) {
    call.serve(
        network,
        shard -> {
          doing.run(shard);
          return Done.DONE;
        });
  }

  /// The indexing shards of another node.
  public static ShardOwner at(Caller node) {
    return new RemoteShards(node);
  }
}
