package dev.holdfast.search.copy;

import dev.holdfast.clusterstate.ShardId;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// What an operator sees of a search copy on its node.
///
/// @param state `open`, `hollow`, `opening`, or `retired`: moved away, searches still end here
/// @param primaryTerm of the commit that is searched; 0 for none
/// @param generation of that commit; -1 for none
/// @param sinceSearchMillis how long ago it was searched; -1 when it never was
/// @param inUse commits that searches read, points in time included
public record SearchCopyInfo(
    ShardId shard,
    String state,
    long primaryTerm,
    long generation,
    long sinceSearchMillis,
    SortedSet<Long> inUse) {
  public SearchCopyInfo {
    inUse = Collections.unmodifiableSortedSet(new TreeSet<>(inUse));
  }
}
