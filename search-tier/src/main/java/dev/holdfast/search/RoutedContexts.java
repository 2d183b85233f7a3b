package dev.holdfast.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The commits that search nodes keep open, from any node: each call goes to the node that holds
/// the commit, or is to hold it.
final class RoutedContexts implements ShardContexts {
  private static final Logger LOG = LoggerFactory.getLogger(RoutedContexts.class);
  private final World world;
  private final Metadata metadata;
  private final SearchNodes nodes;
  private final IndexingReads indexing;
  private final SearchConfig config;
  private final String self;

  RoutedContexts(
      World world,
      Metadata metadata,
      SearchNodes nodes,
      IndexingReads indexing,
      SearchConfig config,
      String self) {
    this.world = world;
    this.metadata = metadata;
    this.nodes = nodes;
    this.indexing = indexing;
    this.config = config;
    this.self = self;
  }

  /// A question to one node.
  @FunctionalInterface
  private interface Asking<T> {
    T ask() throws IOException, InterruptedException;
  }

  @Override
  public ContextId open(ShardTarget target, Kind kind, Duration keepAlive, String request) {
    ObjectNode body =
        Json.object().put("kind", kind.name()).put("keep_millis", keepAlive.toMillis());
    body.put("request", request).set("target", TargetJson.target(target));
    return TargetJson.context(open(target, body));
  }

  private ObjectNode open(ShardTarget target, ObjectNode body) {
    CopyChoice choice = CopyChoice.of("", (int) world.clock().nanoTime());
    return asked(() ->
        new OneCopy(world, metadata, nodes, config, self)
            .ask(target.shard(), choice, node -> node.ask(NodeQuestion.OPEN, body)));
  }

  /// Keeps a commit for a point in time. The answer has the commit with the context.
  ObjectNode openPinned(ShardTarget target, Duration keepAlive, HeldCommit.Pin pin) {
    ObjectNode body = Json.object().put("kind", Kind.POINT_IN_TIME.name());
    body.put("keep_millis", keepAlive.toMillis()).put("request", "");
    body.set("target", TargetJson.target(target));
    body.putObject("pin")
        .put("id", pin.id())
        .put("is_kept_here", pin.isKeptHere())
        .put("until_millis", pin.untilMillis());
    return open(target, body);
  }

  @Override
  public @Nullable ContextId openSpare(ShardId shard, ContextId context, Duration keepAlive) {
    List<String> others = others(shard, context.node());
    if (others.isEmpty()) {
      return null;
    }
    try {
      ObjectNode body = now(context, NodeQuestion.DESCRIBE, TargetJson.context(context));
      body.put("keep_millis", keepAlive.toMillis());
      ContextId spare = openSpare(others, body);
      if (spare == null && !body.path("is_uploaded").asBoolean()) {
        asked(() -> {
          indexing.upload(shard);
          return body.put("is_uploaded", true);
        });
        spare = openSpare(others, body);
      }
      return spare;
    } catch (Refusal | UncheckedIOException e) {
      LOG.debug("no spare for a scroll [shard={}]", shard, e);
      return null;
    }
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

  private @Nullable ContextId openSpare(List<String> members, ObjectNode body) {
    for (String member : members) {
      try {
        return TargetJson.context(
            asked(() -> nodes.member(member).ask(NodeQuestion.OPEN_SPARE, body)));
      } catch (Refusal | UncheckedIOException e) {
        LOG.debug("a node keeps no spare for a scroll [node={}]", member, e);
      }
    }
    return null;
  }

  @Override
  public @Nullable Progress progress(ContextId context, Duration keepAlive) {
    if (!isMember(context)) {
      return null;
    }
    try {
      ObjectNode kept =
          now(
              context,
              NodeQuestion.KEEP,
              TargetJson.context(context).put("keep_millis", keepAlive.toMillis()));
      return kept.has("pages")
          ? new Progress(kept.path("pages").asLong(), kept.path("is_settled").asBoolean())
          : null;
    } catch (Refusal e) {
      if (e.type() != ErrorType.NO_SHARD_AVAILABLE) {
        throw e;
      }
      LOG.debug("a context does not answer [context={}]", context, e);
      return null;
    }
  }

  @Override
  public boolean settle(ContextId ahead, @Nullable ContextId behind, long pages) {
    ObjectNode position = null;
    try {
      ObjectNode done = TargetJson.context(ahead).put("pages", pages);
      position = now(ahead, NodeQuestion.SETTLE, done);
      if (behind == null) {
        return false;
      }
      ObjectNode moved = TargetJson.context(behind);
      moved.setAll(position);
      ObjectNode _ = now(behind, NodeQuestion.SETTLE, moved);
      return true;
    } catch (Refusal | UncheckedIOException e) {
      LOG.debug("a scroll goes on with one of its two contexts [context={}]", ahead, e);
      if (position == null && behind != null) {
        boolean _ = close(behind); // where it should be is not known
      }
      return false;
    }
  }

  /// Asks the context's node, without waiting for one that is out of reach.
  private ObjectNode now(ContextId context, NodeQuestion question, ObjectNode body) {
    if (!isMember(context)) {
      throw HeldCommits.missing(context);
    }
    return asked(() -> nodes.member(context.node()).ask(question, body));
  }

  @Override
  public String request(ContextId context) {
    return at(context, NodeQuestion.REQUEST, TargetJson.context(context)).path("request").asText();
  }

  /// A node that does not answer lets go of it when its time is over.
  @Override
  public boolean close(ContextId context) {
    try {
      return isMember(context)
          && now(context, NodeQuestion.CLOSE, TargetJson.context(context)).path("number").asInt()
              > 0;
    } catch (Refusal e) {
      if (e.type() != ErrorType.NO_SHARD_AVAILABLE) {
        throw e;
      }
      LOG.debug("a context could not be closed [context={}]", context, e);
      return false;
    }
  }

  @Override
  public int closeAll(Kind kind) {
    return everywhere(NodeQuestion.CLOSE_ALL, kind);
  }

  @Override
  public int open(Kind kind) {
    return everywhere(NodeQuestion.COUNT, kind);
  }

  /// Contexts of an index that this node holds.
  long held(IndexId index) {
    ClusterState state = metadata.current();
    Member here = state.members().get(self);
    IndexMetadata known = state.indices().get(index.name());
    long held = 0;
    if (here != null && here.roles().contains(Role.SEARCH) && known != null) {
      for (int number = 0; number < known.shards(); number++) {
        ObjectNode shard = TargetJson.shard(new ShardId(index, number));
        held +=
            asked(() -> nodes.member(self).ask(NodeQuestion.OPEN_CONTEXTS, shard))
                .path("number")
                .asLong();
      }
    }
    return held;
  }

  private int everywhere(NodeQuestion question, Kind kind) {
    int sum = 0;
    for (Member member : metadata.current().members().values()) {
      if (member.roles().contains(Role.SEARCH)) {
        ObjectNode body = Json.object().put("kind", kind.name());
        sum += asked(() -> nodes.member(member.id()).ask(question, body)).path("number").asInt();
      }
    }
    return sum;
  }

  private boolean isMember(ContextId context) {
    return metadata.current().members().containsKey(context.node());
  }

  private ObjectNode at(ContextId context, NodeQuestion question, ObjectNode body) {
    if (!isMember(context)) {
      throw HeldCommits.missing(context);
    }
    return asked(() -> nodes.onlyMember(context.node()).ask(question, body));
  }

  private static <T> T asked(Asking<T> asking) {
    try {
      return asking.ask();
    } catch (Network.UnreachableException e) {
      throw new Refusal(
          ErrorType.NO_SHARD_AVAILABLE, "a node that keeps a commit open does not answer", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(ErrorType.TASK_CANCELLED, "interrupted while waiting for a node", e);
    }
  }
}
