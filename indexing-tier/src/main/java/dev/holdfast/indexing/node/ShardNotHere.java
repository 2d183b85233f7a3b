package dev.holdfast.indexing.node;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// "Ask another node": what a node answers for a shard that it does not own, or is giving away.
/// Nothing was done. Whoever routes requests catches it; clients never see it.
public final class ShardNotHere {
  private static final String MEMBER = "elsewhere";

  private ShardNotHere() {}

  public static Refusal of(ShardId shard) {
    return new Refusal(ErrorType.SHARD_NOT_FOUND, "shard " + shard + " is not on this node")
        .with(MEMBER, true);
  }

  public static boolean is(Refusal refusal) {
    return refusal.type() == ErrorType.SHARD_NOT_FOUND && refusal.metadata().containsKey(MEMBER);
  }
}
