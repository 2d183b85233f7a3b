package dev.holdfast.search;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.query.ShardResult;
import dev.holdfast.world.Refusal;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A shard of a search and what became of it.
final class AskedShard {
  final ShardTarget target;
  final ShardId shard;

  /// Position among all shards of the search.
  final int ordinal;

  final Set<String> tried = new HashSet<>();

  /// Who answered, under which name, and as which of its shards.
  String member = "";

  String search = "";
  int position;
  @Nullable ShardResult result;
  @Nullable Refusal failure;
  boolean isDone;

  AskedShard(ShardTarget target, int ordinal) {
    this.target = target;
    this.shard = target.shard();
    this.ordinal = ordinal;
  }

  void askAgain() {
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
  @Nullable ShardResult success() {
    return failure == null ? result : null;
  }
}
