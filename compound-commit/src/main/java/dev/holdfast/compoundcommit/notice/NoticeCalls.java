package dev.holdfast.compoundcommit.notice;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.compoundcommit.call.Caller;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.world.Network;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/// Notices as calls between nodes.
public final class NoticeCalls {
  static final Call<CommitNotice, InUse> COMMIT =
      new Call<>("search/notice", NoticeCodecs.NOTICE, NoticeCodecs.IN_USE, Duration.ofSeconds(30));
  static final Call<InUseQuestion, InUse> IN_USE =
      new Call<>("search/in-use", InUseQuestion.CODEC, NoticeCodecs.IN_USE, Duration.ofSeconds(10));

  private NoticeCalls() {}

  record InUseQuestion(ShardId shard, long stateVersion) {
    static final Codec<InUseQuestion> CODEC =
        Codec.record(
            (out, asked) -> {
              WireValues.writeShard(out, asked.shard);
              out.writeVLong(asked.stateVersion);
            },
            in -> new InUseQuestion(WireValues.readShard(in), in.readVLong()));
  }

  /// Hears other nodes' notices from now on.
  public static void serve(Network network, SearchNotices here) {
    COMMIT.serve(network, here::commit);
    IN_USE.serve(network, asked -> here.inUse(asked.shard(), asked.stateVersion()));
  }

  /// The ear of another node.
  public static SearchNotices at(Caller node) {
    return new SearchNotices() {
      @Override
      public InUse commit(CommitNotice notice) throws IOException {
        return ask(COMMIT, notice);
      }

      @Override
      public InUse inUse(ShardId shard, long stateVersion) throws IOException {
        return ask(IN_USE, new InUseQuestion(shard, stateVersion));
      }

      private <Q, A> A ask(Call<Q, A> call, Q question) throws IOException {
        try {
          return call.ask(node, question);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("interrupted while a search node was told");
        }
      }
    };
  }
}
