package dev.holdfast.search.choice;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.search.copy.SearchCopies;
import dev.holdfast.search.held.HeldCommits;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.ShardFailure;
import dev.holdfast.search.node.StaleTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Says which copy of each shard is asked next, and when a shard has failed for good.
public final class NextCopies {
  private final Metadata metadata;
  private final CopyChoice choice;
  private final String self;

  /// Members that failed in this search: asked last.
  private final Set<String> failing = new HashSet<>();

  public NextCopies(Metadata metadata, CopyChoice choice, String self) {
    this.metadata = metadata;
    this.choice = choice;
    this.self = self;
  }

  /// Shards that are not done by the copy to ask next. A shard whose copies have all been tried
  /// waits for the state to change or for [#again], or fails when the time is over.
  public Map<String, List<AskedShard>> groups(List<AskedShard> shards, boolean isOver) {
    ClusterState state = metadata.current();
    Map<String, List<AskedShard>> groups = new LinkedHashMap<>();
    for (AskedShard asked : shards) {
      if (asked.isDone) {
        continue;
      }
      ContextId pinned = asked.target.context();
      if (pinned != null && !pinned.isPinned() && !asked.tried.isEmpty()) {
        // Nobody else has the commit that was pinned.
        asked.fail(asked.failure == null ? unavailable(state, asked.shard) : asked.failure);
        continue;
      }
      String next = next(state, asked);
      if (next != null) {
        groups.computeIfAbsent(next, _ -> new ArrayList<>()).add(asked);
        continue;
      }
      if (asked.isDone) {
        continue;
      }
      boolean mayComeBack = asked.failure == null || isUnavailable(asked.failure);
      Refusal notOpen = state.whyNotOpen(asked.shard);
      if (isGone(state, asked.shard)) {
        asked.fail(Refusal.indexNotFound(asked.shard.index().name()));
      } else if (notOpen != null) {
        asked.fail(notOpen);
      } else if (isOver || !mayComeBack) {
        asked.fail(asked.failure == null ? unavailable(state, asked.shard) : asked.failure);
      }
    }
    return groups;
  }

  /// Every copy may be asked once more. Call it after a pause, and for all shards at once: those
  /// that were asked in turns would never leave a round without anybody to ask, which pauses.
  public static void again(List<AskedShard> shards) {
    for (AskedShard asked : shards) {
      if (!asked.isDone) {
        asked.tried.clear();
      }
    }
  }

  public static boolean isGone(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    return index == null || !index.id().equals(shard.index());
  }

  private @Nullable String next(ClusterState state, AskedShard asked) {
    ContextId pinned = asked.target.context();
    if (pinned != null) {
      boolean isThere = state.members().containsKey(pinned.node());
      if (isThere && !asked.tried.contains(pinned.node())) {
        return pinned.node();
      }
      if (!pinned.isPinned()) {
        asked.fail(HeldCommits.missing(pinned));
        return null;
      }
    }
    // What is pinned in the store is opened again on the same node for each search.
    CopyChoice choice = pinned == null ? this.choice : CopyChoice.always(pinned.pin());
    String last = null;
    for (String member : choice.copies(state, asked.shard, self)) {
      if (!asked.tried.contains(member)) {
        if (!failing.contains(member)) {
          return member;
        }
        last = last == null ? member : last;
      }
    }
    return last;
  }

  /// Of a shard that nobody could be asked for.
  static Refusal unavailable(ClusterState state, ShardId shard) {
    String absence = Role.SEARCH.absence(state);
    if (!absence.isEmpty()) {
      return SearchCopies.unavailable(shard, absence);
    }
    return SearchCopies.unavailable(
        shard,
        state.assignment(shard).copies().isEmpty()
            ? "no node holds a search copy of it"
            : "no node of its search copies is a member and has it open");
  }

  /// A member answered for a shard with an error, or not at all.
  ///
  /// @throws Refusal when the search is over: it was cancelled, or is to ask other shards
  public void failed(AskedShard asked, String member, @Nullable Throwable why) {
    Refusal failure =
        why instanceof Network.UnreachableException
            ? new Refusal(
                ErrorType.NO_SHARD_AVAILABLE,
                "No shard available for " + asked.shard + ": " + why.getMessage(),
                why)
            : ShardFailure.of(asked.shard, why instanceof Exception e ? e : new IOException(why))
                .reason();
    if (failure.type() == ErrorType.TASK_CANCELLED || StaleTarget.is(failure)) {
      throw failure;
    }
    asked.failure = failure;
    ContextId pinned = asked.target.context();
    if (failure.type() == ErrorType.SEARCH_CONTEXT_MISSING && pinned != null && pinned.isPinned()) {
      return; // another node may have gone on with it: the pin says whether it is over
    }
    asked.isDone = isOfClient(failure);
    if (!asked.isDone) {
      failing.add(member);
    }
  }

  /// Errors that every copy would answer.
  public static boolean isOfClient(Refusal failure) {
    return failure.status() < 500 && failure.status() != 429;
  }

  /// Errors that pass: a node dies or starts. A store that fails may do so for long, and a client
  /// is told at once.
  private static boolean isUnavailable(Refusal failure) {
    return failure.status() == 503 && !StoreTrouble.isTold(failure);
  }

  /// It lost what it had kept for this search.
  public void failed(String member) {
    failing.add(member);
  }
}
