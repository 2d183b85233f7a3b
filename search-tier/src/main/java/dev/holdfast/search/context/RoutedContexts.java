package dev.holdfast.search.context;

import static dev.holdfast.search.context.ContextCalls.asked;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.search.choice.AnyCopy;
import dev.holdfast.search.choice.CopyChoice;
import dev.holdfast.search.held.HeldCommit;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// The commits that search nodes keep open, from any node: each call goes to the node that holds
/// the commit, or is to hold it.
public final class RoutedContexts implements ShardContexts {
  private final World world;
  private final Metadata metadata;
  private final SearchNodes nodes;
  private final ContextCalls calls;
  private final SearchConfig config;
  private final String self;

  public RoutedContexts(
      World world,
      Metadata metadata,
      SearchNodes nodes,
      ContextCalls calls,
      SearchConfig config,
      String self) {
    this.world = world;
    this.metadata = metadata;
    this.nodes = nodes;
    this.calls = calls;
    this.config = config;
    this.self = self;
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
        new AnyCopy(world, metadata, nodes, config, self)
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

  /// A node that does not answer lets go of its own when their time is over.
  @Override
  public Set<ContextId> close(Collection<ContextId> contexts) {
    Map<ContextId, ObjectNode> bodies = new LinkedHashMap<>();
    contexts.forEach(context -> bodies.put(context, Json.object()));
    Set<ContextId> closed = new HashSet<>();
    calls
        .each(NodeQuestion.CLOSE, bodies)
        .forEach((context, answer) -> {
          if (answer.path("number").asInt() > 0) {
            closed.add(context);
          }
        });
    return closed;
  }

  @Override
  public int closeAll(Kind kind) {
    return everywhere(NodeQuestion.CLOSE_ALL, kind);
  }

  @Override
  public int open(Kind kind) {
    return everywhere(NodeQuestion.COUNT, kind);
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
}
