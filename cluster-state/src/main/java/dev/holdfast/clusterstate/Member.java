package dev.holdfast.clusterstate;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// A node of the cluster, as the cluster state knows it.
///
/// @param id its ephemeral id: a restarted process is another member
/// @param name for people
/// @param address `host:port` for clients and for other nodes
/// @param heapBytes its largest heap
/// @param startMillis when it started, epoch milliseconds
/// @param isDraining it gives its shards away and takes none
/// @param build what it runs
public record Member(
    String id,
    String name,
    String address,
    SortedSet<Role> roles,
    long heapBytes,
    long startMillis,
    boolean isDraining,
    Build build) {

  public Member {
    roles = Collections.unmodifiableSortedSet(new TreeSet<>(roles));
  }

  public Member draining() {
    return new Member(id, name, address, roles, heapBytes, startMillis, true, build);
  }
}
