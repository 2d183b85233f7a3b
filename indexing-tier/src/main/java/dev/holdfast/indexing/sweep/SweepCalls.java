package dev.holdfast.indexing.sweep;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.compoundcommit.call.Caller;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.compoundcommit.call.WireValues.Done;
import dev.holdfast.compoundcommit.notice.NoticeCodecs;
import dev.holdfast.world.Network;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// The sweep's questions as calls between nodes.
public final class SweepCalls {
  private static final Duration MAX = Duration.ofSeconds(60);

  public static final Call<Found, Integer> FOUND =
      new Call<>(
          "sweep/found",
          Codec.record(
              (out, found) -> {
                WireValues.writeShard(out, found.shard());
                WireValues.writeList(out, NoticeCodecs.BLOB, found.blobs());
              },
              in ->
                  new Found(WireValues.readShard(in), WireValues.readList(in, NoticeCodecs.BLOB))),
          Codec.word((out, count) -> out.writeVInt(count), WireInput::readVInt),
          MAX);

  public static final Call<Done, List<ShardId>> SETTLED =
      new Call<>("sweep/settled", WireValues.DONE, WireValues.listOf(WireValues.SHARD), MAX);

  private SweepCalls() {}

  public record Found(ShardId shard, List<BlobId> blobs) {}

  /// Answers the leader's sweep from now on.
  public static void serve(Network network, SweptShards here) {
    FOUND.serve(network, found -> here.found(found.shard(), found.blobs()));
    SETTLED.serve(network, _ -> here.settled());
  }

  /// The shards of another node.
  public static SweptShards at(Caller node) {
    return new SweptShards() {
      @Override
      public int found(ShardId shard, List<BlobId> blobs) throws IOException, InterruptedException {
        return FOUND.ask(node, new Found(shard, blobs));
      }

      @Override
      public List<ShardId> settled() throws IOException, InterruptedException {
        return SETTLED.ask(node, Done.DONE);
      }
    };
  }
}
