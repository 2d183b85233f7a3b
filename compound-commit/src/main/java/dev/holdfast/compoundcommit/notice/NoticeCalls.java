package dev.holdfast.compoundcommit.notice;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.compoundcommit.call.Caller;
import dev.holdfast.compoundcommit.call.Wire;
import dev.holdfast.world.Network;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/// Notices as calls between nodes.
public final class NoticeCalls {
  private static final Call<CommitNotice, InUse> COMMIT =
      new Call<>("search/notice", NoticeCodecs.NOTICE, NoticeCodecs.IN_USE, Duration.ofSeconds(30));
  private static final Call<ShardId, InUse> IN_USE =
      new Call<>("search/in-use", Wire.SHARD, NoticeCodecs.IN_USE, Duration.ofSeconds(10));

  private NoticeCalls() {}

  /// Hears other nodes' notices from now on.
  public static void serve(Network network, SearchNotices here) {
    COMMIT.serve(network, here::commit);
    IN_USE.serve(network, here::inUse);
  }

  /// The ear of another node.
  public static SearchNotices at(Caller node) {
    return new SearchNotices() {
      @Override
      public InUse commit(CommitNotice notice) throws IOException {
        return ask(COMMIT, notice);
      }

      @Override
      public InUse inUse(ShardId shard) throws IOException {
        return ask(IN_USE, shard);
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
