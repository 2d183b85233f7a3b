package dev.holdfast.search.node;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// "Ask anew": what a search node answers for a shard that has given documents away since who asks
/// heard of it last (decision 031). Whoever coordinates catches it; clients never see it.
public final class StaleTarget {
  private static final String MEMBER = "divided";

  private StaleTarget() {}

  public static Refusal of(ShardId shard) {
    return new Refusal(ErrorType.STATUS_CONFLICT, "shard " + shard + " was divided")
        .with(MEMBER, true);
  }

  public static boolean is(Refusal refusal) {
    return refusal.type() == ErrorType.STATUS_CONFLICT && refusal.metadata().containsKey(MEMBER);
  }
}
