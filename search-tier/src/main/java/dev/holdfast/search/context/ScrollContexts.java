package dev.holdfast.search.context;

import static dev.holdfast.search.context.ContextCalls.asked;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.choice.CopyChoice;
import dev.holdfast.search.choice.RenewedTargets;
import dev.holdfast.search.held.ScrollPosition;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.StoredCommit;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import dev.holdfast.world.concurrent.RetryPauses;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The two contexts of each shard of a scroll, on two nodes: what the coordinator of its pages asks
/// and tells them, in one call to each node.
public final class ScrollContexts {
  private static final Logger LOG = LoggerFactory.getLogger(ScrollContexts.class);

  /// A first page does not wait longer for its spares.
  private static final Duration UPLOAD_MAX = Duration.ofSeconds(3);

  private final World world;
  private final Metadata metadata;
  private final ContextCalls calls;
  private final CommitUpload upload;
  private final SearchConfig config;
  private final String self;

  public ScrollContexts(
      World world,
      Metadata metadata,
      ContextCalls calls,
      CommitUpload upload,
      SearchConfig config,
      String self) {
    this.world = world;
    this.metadata = metadata;
    this.calls = calls;
    this.upload = upload;
    this.config = config;
    this.self = self;
  }

  /// How far a context is.
  ///
  /// @param pages that the client of the scroll has, as far as was said
  /// @param isAlone the other of its pair stands where it should not
  /// @param request what the pages of the scroll need to know of the first
  public record Progress(long pages, boolean isAlone, String request) {}

  /// Asks that they be kept that much longer from now.
  ///
  /// @return nothing of those that are not there, or whose node does not answer now
  public Map<ContextId, Progress> progress(Collection<ContextId> contexts, Duration keepAlive) {
    return progress(calls.each(NodeQuestion.KEEP, same(contexts, kept(keepAlive))));
  }

  /// The same, waiting for nodes that are out of reach as long as they are members.
  public Map<ContextId, Progress> progressAwaited(
      Collection<ContextId> contexts, Duration keepAlive) {
    return progress(calls.eachAwaited(NodeQuestion.KEEP, same(contexts, kept(keepAlive))));
  }

  private static Map<ContextId, Progress> progress(Map<ContextId, ObjectNode> answers) {
    Map<ContextId, Progress> progress = new HashMap<>();
    answers.forEach((context, kept) ->
        progress.put(
            context,
            new Progress(
                kept.path("pages").asLong(),
                kept.path("is_alone").asBoolean(),
                kept.path("request").asText())));
    return progress;
  }

  /// Opens what a scroll keeps, and opens it anew when a shard was divided meanwhile.
  public <T> T renewing(List<ShardTarget> targets, RenewedTargets.Asking<T> opening)
      throws IOException, InterruptedException {
    return new RenewedTargets(world, metadata).run(targets, opening);
  }

  /// Between tries of one page.
  public RetryPauses pauses() {
    return new RetryPauses(world, config.firstCommitWaitMax());
  }

  private static ObjectNode kept(Duration keepAlive) {
    return Json.object().put("keep_millis", keepAlive.toMillis());
  }

  private static Map<ContextId, ObjectNode> same(Collection<ContextId> contexts, ObjectNode body) {
    Map<ContextId, ObjectNode> bodies = new LinkedHashMap<>();
    contexts.forEach(context -> bodies.put(context, body));
    return bodies;
  }

  /// The client has so many pages with the one that these have searched last: they go on after it.
  ///
  /// @return where that is; nothing of those that are not there, or whose node does not answer now
  public Map<ContextId, ScrollPosition> settle(
      Collection<ContextId> searched, long pages, Duration keepAlive) {
    ObjectNode body = kept(keepAlive).put("pages", pages);
    return positions(calls.each(NodeQuestion.SETTLE, same(searched, body)));
  }

  /// The same, waiting for nodes that are out of reach as long as they are members.
  public Map<ContextId, ScrollPosition> settleAwaited(
      Collection<ContextId> searched, long pages, Duration keepAlive) {
    ObjectNode body = kept(keepAlive).put("pages", pages);
    return positions(calls.eachAwaited(NodeQuestion.SETTLE, same(searched, body)));
  }

  private static Map<ContextId, ScrollPosition> positions(Map<ContextId, ObjectNode> answers) {
    Map<ContextId, ScrollPosition> positions = new HashMap<>();
    answers.forEach(
        (context, position) -> positions.put(context, asked(() -> ScrollPosition.read(position))));
    return positions;
  }

  /// Tells others of their pairs where to go on.
  ///
  /// @param others by the context that the last page was searched with
  /// @param positions where those are
  /// @return the searched whose other stands there too now; they know when theirs does not
  public Set<ContextId> follow(
      Map<ContextId, ContextId> others,
      Map<ContextId, ScrollPosition> positions,
      Duration keepAlive) {
    Map<ContextId, ObjectNode> moves = new LinkedHashMap<>();
    others.forEach((context, other) -> {
      ScrollPosition position = positions.get(context);
      if (position != null) {
        moves.put(
            other,
            asked(() -> {
              ObjectNode move = kept(keepAlive);
              position.write(move);
              return move;
            }));
      }
    });
    Set<ContextId> moved = calls.each(NodeQuestion.SETTLE, moves).keySet();
    Set<ContextId> inPairs = new HashSet<>();
    Map<ContextId, ObjectNode> alone = new LinkedHashMap<>();
    others.forEach((context, other) -> {
      ScrollPosition position = positions.get(context);
      if (moved.contains(other)) {
        inPairs.add(context);
      } else if (position != null) {
        alone.put(context, kept(keepAlive).put("pages", position.pages()).put("is_alone", true));
      }
    });
    Map<ContextId, ObjectNode> _ = calls.each(NodeQuestion.SETTLE, alone);
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
    wanted.removeIf(one -> spares.containsKey(one.of) || one.isUploaded());
    upload(wanted);
    open(wanted.stream().filter(Wanted::isUploaded).toList(), spares);
    return spares;
  }

  /// A spare that is to be opened.
  ///
  /// @param of the context that it is of
  /// @param copies members that have a copy of the shard
  /// @param others search nodes that have none
  private record Wanted(
      ContextId of, ShardId shard, List<String> copies, List<String> others, ObjectNode body) {
    boolean isUploaded() {
      return body.path("is_uploaded").asBoolean();
    }

    /// Who could keep it, to be asked one after the other.
    List<String> members() {
      List<String> members = new ArrayList<>(copies);
      if (isUploaded()) {
        members.addAll(others);
      }
      return members;
    }
  }

  private List<Wanted> wanted(Map<ContextId, ShardId> contexts, Duration keepAlive) {
    ClusterState state = metadata.current();
    List<String> searching = new ArrayList<>();
    for (Member member : state.members().values()) {
      if (member.roles().contains(Role.SEARCH)) {
        searching.add(member.id());
      }
    }
    List<Wanted> wanted = new ArrayList<>();
    if (searching.size() < 2) {
      return wanted;
    }
    calls
        .each(NodeQuestion.DESCRIBE, same(contexts.keySet(), Json.object()))
        .forEach((context, found) -> {
          ShardId shard = Objects.requireNonNull(contexts.get(context));
          List<String> copies =
              new ArrayList<>(CopyChoice.of("_local", 0).copies(state, shard, self));
          List<String> others = new ArrayList<>(searching);
          others.removeAll(copies);
          others.remove(context.node());
          copies.remove(context.node());
          Collections.rotate(others, shard.number());
          ObjectNode body = kept(keepAlive);
          body.setAll(found);
          wanted.add(new Wanted(context, shard, copies, others, body));
        });
    return wanted;
  }

  /// Asks for all that are wanted, of the first member of each, then of the second of those that
  /// are left, and so on.
  private void open(List<Wanted> wanted, Map<ContextId, ContextId> spares) {
    for (int turn = 0; ; turn++) {
      Map<String, List<Wanted>> byNode = new LinkedHashMap<>();
      for (Wanted one : wanted) {
        List<String> members = one.members();
        if (turn < members.size() && !spares.containsKey(one.of)) {
          byNode.computeIfAbsent(members.get(turn), _ -> new ArrayList<>()).add(one);
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
    }
  }

  /// Uploads their commits side by side. Those that take long have no spare: their owner may be
  /// away.
  private void upload(List<Wanted> wanted) {
    List<Callable<Boolean>> uploads = new ArrayList<>(wanted.size());
    wanted.forEach(one -> uploads.add(() -> isUploadedNow(one)));
    List<FanOut.Outcome<Boolean>> outcomes =
        asked(() -> FanOut.of(world, "upload-for-scroll").within(UPLOAD_MAX).outcomes(uploads));
    for (int i = 0; i < outcomes.size(); i++) {
      boolean isUploaded = outcomes.get(i).equals(new FanOut.Done<>(true));
      if (outcomes.get(i) instanceof FanOut.Late<Boolean>) {
        LOG.debug(
            "no spare for a scroll, its commit is not uploaded in time [shard={}]",
            wanted.get(i).shard);
      }
      wanted.get(i).body.put("is_uploaded", isUploaded);
    }
  }

  private boolean isUploadedNow(Wanted one) throws InterruptedException {
    try {
      upload.run(StoredCommit.read(one.shard, one.body));
      return true;
    } catch (IOException | Refusal e) {
      LOG.debug("no spare for a scroll, its commit is not uploaded [shard={}]", one.shard, e);
      return false;
    }
  }
}
