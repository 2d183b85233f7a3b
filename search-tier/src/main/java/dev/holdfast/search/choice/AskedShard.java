package dev.holdfast.search.choice;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Refusal;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A shard of a search and what became of it.
public final class AskedShard {
  public final ShardTarget target;
  public final ShardId shard;

  /// Position among all shards of the search.
  public final int ordinal;

  public final Set<String> tried = new HashSet<>();

  /// Who answered, under which name, and as which of its shards.
  public String member = "";

  public String search = "";
  public int position;
  public @Nullable ShardResult result;
  public @Nullable Refusal failure;
  public boolean isDone;

  public AskedShard(ShardTarget target, int ordinal) {
    this.target = target;
    this.shard = target.shard();
    this.ordinal = ordinal;
  }

  public void askAgain() {
    if (result != null) {
      result = null;
      isDone = false;
      tried.clear();
    }
  }

  /// It has no result, and none is to be asked for.
  void fail(Refusal why) {
    failure = why;
    isDone = true;
  }

  /// Its result, or none when it failed.
  public @Nullable ShardResult success() {
    return failure == null ? result : null;
  }
}
