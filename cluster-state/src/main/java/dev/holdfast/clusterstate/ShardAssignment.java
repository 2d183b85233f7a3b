package dev.holdfast.clusterstate;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Where one shard lives (§2.2). Its primary term, in [IndexMetadata#primaryTerms], grows each time
/// `owner` becomes another node.
///
/// A planned move of the indexing shard: the leader sets `target`; the owner stops writing, uploads
/// a last commit that needs no replay, closes the shard, and then makes the target the owner.
/// Should the owner die meanwhile, the leader assigns anew as after any death.
///
/// @param owner the member that indexes; empty for none
/// @param target the member that is to own it next; empty when it is not moving
/// @param copies members that hold a search copy, and how far each is
public record ShardAssignment(String owner, String target, SortedMap<String, Copy> copies) {
  public static final ShardAssignment NONE = new ShardAssignment("", "", new TreeMap<>());

  public ShardAssignment {
    copies = Collections.unmodifiableSortedMap(new TreeMap<>(copies));
  }

  /// How far a search copy is.
  public enum Copy {
    /// Told of every commit, but not searched yet.
    STARTING,
    /// Has opened a commit at least as new as any that a refresh was answered for: searched.
    STARTED
  }

  public ShardAssignment withOwner(String member) {
    return new ShardAssignment(member, "", copies);
  }

  public ShardAssignment withTarget(String member) {
    return new ShardAssignment(owner, member, copies);
  }

  public ShardAssignment withCopy(String member, Copy copy) {
    SortedMap<String, Copy> changed = new TreeMap<>(copies);
    changed.put(member, copy);
    return new ShardAssignment(owner, target, changed);
  }

  public ShardAssignment withoutCopy(String member) {
    SortedMap<String, Copy> changed = new TreeMap<>(copies);
    changed.remove(member);
    return new ShardAssignment(owner, target, changed);
  }
}
