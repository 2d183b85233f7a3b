package dev.holdfast.search.choice;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shards that a search waits for in vain: their copies cannot be opened because an object is
/// damaged. They fail at once, with the reason.
public final class DamagedCopies {
  private static final Logger LOG = LoggerFactory.getLogger(DamagedCopies.class);

  private DamagedCopies() {}

  /// Fails those of the shards whose copies that are being opened have met damage.
  public static void fail(ClusterState state, SearchNodes nodes, List<AskedShard> shards)
      throws InterruptedException {
    for (AskedShard asked : shards) {
      Refusal damage = asked.isDone ? null : of(state, nodes, asked.shard);
      if (damage != null) {
        asked.fail(damage);
      }
    }
  }

  static @Nullable Refusal of(ClusterState state, SearchNodes nodes, ShardId shard)
      throws InterruptedException {
    for (Map.Entry<String, Copy> copy : state.assignment(shard).copies().entrySet()) {
      if (copy.getValue() == Copy.STARTING && state.members().containsKey(copy.getKey())) {
        String reason = reason(nodes, copy.getKey(), shard);
        if (!reason.isEmpty()) {
          return new Refusal(ErrorType.CORRUPT_INDEX, reason)
              .with("index", shard.index().name())
              .with("shard", String.valueOf(shard.number()));
        }
      }
    }
    return null;
  }

  private static String reason(SearchNodes nodes, String member, ShardId shard)
      throws InterruptedException {
    try {
      ObjectNode answer = nodes.member(member).ask(NodeQuestion.DAMAGE, TargetJson.shard(shard));
      return answer.path("reason").asText("");
    } catch (IOException | Refusal e) {
      LOG.debug("a copy that is being opened does not say how it goes [shard={}]", shard, e);
      return "";
    }
  }
}
