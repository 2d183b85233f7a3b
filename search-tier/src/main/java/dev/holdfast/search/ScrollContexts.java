package dev.holdfast.search;

import static dev.holdfast.search.ContextCalls.asked;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The two contexts of each shard of a scroll, on two nodes: what the coordinator of its pages asks
/// and tells them, in one call to each node.
public final class ScrollContexts {
  private static final Logger LOG = LoggerFactory.getLogger(ScrollContexts.class);

  private final Metadata metadata;
  private final ContextCalls calls;
  private final IndexingReads indexing;
  private final String self;

  ScrollContexts(Metadata metadata, ContextCalls calls, IndexingReads indexing, String self) {
    this.metadata = metadata;
    this.calls = calls;
    this.indexing = indexing;
    this.self = self;
  }

  /// How far a context is.
  ///
  /// @param pages that the client of the scroll has, as far as was said
  /// @param isSettled no page was searched since then
  public record Progress(long pages, boolean isSettled) {}

  /// Asks that they be kept that much longer from now.
  ///
  /// @return nothing of those that are not there, or whose node does not answer now
  public Map<ContextId, Progress> progress(Collection<ContextId> contexts, Duration keepAlive) {
    Map<ContextId, Progress> progress = new HashMap<>();
    calls
        .each(NodeQuestion.KEEP, same(contexts, kept(keepAlive)))
        .forEach((context, kept) ->
            progress.put(
                context,
                new Progress(kept.path("pages").asLong(), kept.path("is_settled").asBoolean())));
    return progress;
  }

  private static ObjectNode kept(Duration keepAlive) {
    return Json.object().put("keep_millis", keepAlive.toMillis());
  }

  private static Map<ContextId, ObjectNode> same(Collection<ContextId> contexts, ObjectNode body) {
    Map<ContextId, ObjectNode> bodies = new LinkedHashMap<>();
    contexts.forEach(context -> bodies.put(context, body));
    return bodies;
  }

  /// The client has so many pages: all contexts go on after them.
  ///
  /// @param searched that the last page was searched with
  /// @param others the other context of each shard, by the one that was searched, if it has one
  /// @return those searched whose other stands there too now; another that can't be told is left
  ///   behind, and closed when it is not known where it should be
  public Set<ContextId> settle(
      Collection<ContextId> searched,
      Map<ContextId, ContextId> others,
      long pages,
      Duration keepAlive) {
    ObjectNode done = kept(keepAlive).put("pages", pages);
    Map<ContextId, ObjectNode> positions = calls.each(NodeQuestion.SETTLE, same(searched, done));
    Map<ContextId, ObjectNode> moves = new LinkedHashMap<>();
    List<ContextId> lost = new ArrayList<>();
    others.forEach((context, other) -> {
      ObjectNode position = positions.get(context);
      if (position == null) {
        lost.add(other);
      } else {
        ObjectNode move = kept(keepAlive);
        move.setAll(position);
        moves.put(other, move);
      }
    });
    Set<ContextId> moved = calls.each(NodeQuestion.SETTLE, moves).keySet();
    Map<ContextId, ObjectNode> _ = calls.each(NodeQuestion.CLOSE, same(lost, Json.object()));
    Set<ContextId> inPairs = new HashSet<>();
    others.forEach((context, other) -> {
      if (moved.contains(other)) {
        inPairs.add(context);
      }
    });
    return inPairs;
  }

  /// Keeps the commits of contexts on another search node each, for the time when theirs has died:
  /// on one whose copy is searched at that commit; else on any, which reads it from the store when
  /// it has to. For that it is uploaded.
  ///
  /// @return the spares; none where no other search node keeps one
  public Map<ContextId, ContextId> openSpares(
      Map<ContextId, ShardId> contexts, Duration keepAlive) {
    Map<ContextId, ContextId> spares = new HashMap<>();
    List<Wanted> wanted = wanted(contexts, keepAlive);
    open(wanted, spares);
    wanted.removeIf(one -> one.isUploaded() || !upload(one));
    open(wanted, spares);
    return spares;
  }

  /// A spare that is to be opened.
  ///
  /// @param of the context that it is of
  /// @param members to be asked, one after the other
  private record Wanted(ContextId of, ShardId shard, List<String> members, ObjectNode body) {
    boolean isUploaded() {
      return body.path("is_uploaded").asBoolean();
    }
  }

  private List<Wanted> wanted(Map<ContextId, ShardId> contexts, Duration keepAlive) {
    Map<ContextId, List<String>> members = new LinkedHashMap<>();
    contexts.forEach((context, shard) -> {
      List<String> others = others(shard, context.node());
      if (!others.isEmpty()) {
        members.put(context, others);
      }
    });
    List<Wanted> wanted = new ArrayList<>();
    calls
        .each(NodeQuestion.DESCRIBE, same(members.keySet(), Json.object()))
        .forEach((context, found) -> {
          ObjectNode body = kept(keepAlive);
          body.setAll(found);
          ShardId shard = Objects.requireNonNull(contexts.get(context));
          wanted.add(new Wanted(context, shard, members.getOrDefault(context, List.of()), body));
        });
    return wanted;
  }

  /// Search nodes that could keep a spare, those that have a copy of the shard first.
  private List<String> others(ShardId shard, String holder) {
    ClusterState state = metadata.current();
    Set<String> others = new LinkedHashSet<>(CopyChoice.of("_local", 0).copies(state, shard, self));
    List<String> rest = new ArrayList<>();
    for (Member member : state.members().values()) {
      if (member.roles().contains(Role.SEARCH)) {
        rest.add(member.id());
      }
    }
    Collections.rotate(rest, shard.number());
    others.addAll(rest);
    others.remove(holder);
    return List.copyOf(others);
  }

  /// Asks for all that are wanted, of the first member of each, then of the second of those that
  /// are left, and so on; what is opened is wanted no more.
  private void open(List<Wanted> wanted, Map<ContextId, ContextId> spares) {
    for (int turn = 0; !wanted.isEmpty(); turn++) {
      Map<String, List<Wanted>> byNode = new LinkedHashMap<>();
      for (Wanted one : wanted) {
        if (turn < one.members.size()) {
          byNode.computeIfAbsent(one.members.get(turn), _ -> new ArrayList<>()).add(one);
        }
      }
      if (byNode.isEmpty()) {
        return;
      }
      byNode.forEach((node, those) -> {
        List<ObjectNode> bodies = those.stream().map(Wanted::body).toList();
        List<@Nullable ObjectNode> opened = calls.each(node, NodeQuestion.OPEN_SPARE, bodies);
        for (int i = 0; i < those.size(); i++) {
          ObjectNode spare = opened.get(i);
          if (spare != null) {
            spares.put(those.get(i).of, TargetJson.context(spare));
          }
        }
      });
      wanted.removeIf(one -> spares.containsKey(one.of));
    }
  }

  private boolean upload(Wanted one) {
    try {
      asked(() -> {
        indexing.upload(one.shard);
        return one.body.put("is_uploaded", true);
      });
      return true;
    } catch (Refusal | UncheckedIOException e) {
      LOG.debug("no spare for a scroll [shard={}]", one.shard, e);
      return false;
    }
  }
}
