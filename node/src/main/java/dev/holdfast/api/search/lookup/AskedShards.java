package dev.holdfast.api.search.lookup;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.choice.RenewedTargets;
import dev.holdfast.search.node.ShardTarget;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The shards that a request asks one after the other, while they may be divided (decision 031).
/// What a shard shows is known to this node when it has answered, so that what it had given away by
/// then is found by looking here after each answer.
public final class AskedShards {
  private final Metadata metadata;

  public AskedShards(Metadata metadata) {
    this.metadata = metadata;
  }

  /// How many shards of an index are to be asked: all that there were when it was looked up, and
  /// those that were added to it since.
  public int count(IndexMetadata index) {
    IndexMetadata now = metadata.current().indices().get(index.id().name());
    return now == null || !now.id().equals(index.id())
        ? index.shards()
        : Math.max(index.shards(), now.shards());
  }

  /// Whether a shard has given documents away since it was chosen.
  public boolean isDivided(ShardTarget target) {
    IndexMetadata now = metadata.current().indices().get(target.shard().index().name());
    return now != null
        && now.id().equals(target.shard().index())
        && now.dividedSince(target.shard().number()) != target.dividedSince();
  }

  /// Shards that have documents by now which those had that were asked, and were not asked.
  public List<ShardTarget> added(List<ShardTarget> asked) {
    Set<ShardId> known = asked.stream().map(ShardTarget::shard).collect(Collectors.toSet());
    return RenewedTargets.of(metadata.current(), asked).stream()
        .filter(target -> !known.contains(target.shard()))
        .toList();
  }
}
