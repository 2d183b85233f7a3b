package dev.holdfast.indexing.notice;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.SearchMembers;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What all search nodes read of a shard that is not open here (§6.1).
public final class SearchNodeReads {
  private static final Logger LOG = LoggerFactory.getLogger(SearchNodeReads.class);

  private SearchNodeReads() {}

  /// By member; empty when one does not answer: nothing may be deleted then.
  public static Optional<SortedMap<String, InUse>> of(
      Metadata metadata, SearchMembers search, ShardId shard) {
    SortedMap<String, InUse> all = new TreeMap<>();
    ClusterState state = metadata.current();
    for (Member member : state.members().values()) {
      if (member.roles().contains(Role.SEARCH)) {
        try {
          all.put(member.id(), search.member(member.id()).inUse(shard, state.version()));
        } catch (IOException | RuntimeException e) {
          LOG.info(
              "a search node does not say what it reads [shard={}, member={}]",
              shard,
              member.id(),
              e);
          return Optional.empty();
        }
      }
    }
    return Optional.of(all);
  }
}
