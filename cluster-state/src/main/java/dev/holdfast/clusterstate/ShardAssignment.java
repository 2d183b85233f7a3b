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
/// A copy that was [Copy#STARTED] is given up in two steps: the leader makes it [Copy#LEAVING], its
/// member removes it.
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
    STARTED,
    /// To be given up. Told of every commit until its member says that it searches it no more, for
    /// as long as that member has not heard of it, it does.
    LEAVING
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

  /// Whether that member is to have a copy.
  public boolean hasCopy(String member) {
    Copy copy = copies.get(member);
    return copy != null && copy != Copy.LEAVING;
  }

  public ShardAssignment withoutCopy(String member) {
    SortedMap<String, Copy> changed = new TreeMap<>(copies);
    changed.remove(member);
    return new ShardAssignment(owner, target, changed);
  }
}
