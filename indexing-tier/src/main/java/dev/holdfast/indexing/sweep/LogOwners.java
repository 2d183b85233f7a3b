package dev.holdfast.indexing.sweep;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which nodes' logs a recovery would begin with (§6.2). A shard whose newest commit points at no
/// dead node's log never points at one again: later commits point at their own owner's. A commit
/// that the cluster state does not know may be lost (decision 018): the log of the node whose blob
/// the state knows is needed as long as no later owner's is marked.
final class LogOwners {
  private static final Logger LOG = LoggerFactory.getLogger(LogOwners.class);

  private final ObjectStore store;
  private final Metadata metadata;
  private final Function<String, SweptShards> members;

  LogOwners(ObjectStore store, Metadata metadata, Function<String, SweptShards> members) {
    this.store = store;
    this.metadata = metadata;
    this.members = members;
  }

  /// @param shardOf by ephemeral id: a shard that needs the log of that node
  /// @param unreadable shards of which nobody knows
  record Needed(SortedMap<String, String> shardOf, List<ShardId> unreadable) {}

  /// Owners say which shards are settled, without a request; of the others the newest commit is
  /// read, one LIST and one GET each.
  ///
  /// @param unknown shards of no index of the state, which may be of one that the state has lost
  Needed find(List<ShardId> unknown) throws InterruptedException {
    Needed needed = new Needed(new TreeMap<>(), new ArrayList<>());
    Set<ShardId> settled = settled();
    ClusterState state = metadata.current();
    for (IndexMetadata index : state.indices().values()) {
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        UploadMark mark = UploadMarks.of(state, shard);
        if (settled.contains(shard) && mark.primaryTerm() == state.primaryTerm(shard)) {
          continue;
        }
        if (!mark.node().isEmpty()) {
          needed.shardOf.put(mark.node(), shard.toString());
        }
        if (mark.isShort()) {
          needed.unreadable.add(shard); // the newest that is there is not the newest
        } else {
          add(needed, shard);
        }
      }
    }
    for (ShardId shard : unknown) {
      add(needed, shard);
    }
    return needed;
  }

  private void add(Needed needed, ShardId shard) {
    try {
      Optional<CompoundCommit> newest = new CommitStore(store, shard).newest();
      newest.ifPresent(
          commit -> needed.shardOf.put(commit.translog().nodeEphemeralId(), shard.toString()));
    } catch (IOException | RuntimeException e) {
      LOG.warn("the newest commit of a shard can't be read [shard={}]", shard, e);
      needed.unreadable.add(shard);
    }
  }

  private Set<ShardId> settled() throws InterruptedException {
    Set<ShardId> settled = new HashSet<>();
    ClusterState state = metadata.current();
    for (Member member : state.members().values()) {
      if (member.roles().contains(Role.INDEX)) {
        try {
          for (ShardId shard : members.apply(member.id()).settled()) {
            settled.add(shard);
          }
        } catch (IOException | Refusal e) {
          LOG.debug("a node does not say which shards are settled [node={}]", member.id(), e);
        }
      }
    }
    return settled;
  }
}
