package dev.holdfast.search.context;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Questions about contexts, asked of the nodes that hold them.
public final class ContextCalls {
  private static final Logger LOG = LoggerFactory.getLogger(ContextCalls.class);

  private final Metadata metadata;
  private final SearchNodes nodes;

  public ContextCalls(Metadata metadata, SearchNodes nodes) {
    this.metadata = metadata;
    this.nodes = nodes;
  }

  /// A question to one node.
  @FunctionalInterface
  interface Asking<T> {
    T ask() throws IOException, InterruptedException;
  }

  static <T> T asked(Asking<T> asking) {
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

  private boolean isMember(String node) {
    return metadata.current().members().containsKey(node);
  }

  /// Asks one question about each context, in one call to each node.
  ///
  /// @param bodies what is said besides which context
  /// @return the answers; none of contexts that are not there, or whose node does not answer now
  Map<ContextId, ObjectNode> each(NodeQuestion question, Map<ContextId, ObjectNode> bodies) {
    return each(question, bodies, nodes);
  }

  /// The same, waiting for nodes as long as they are members.
  Map<ContextId, ObjectNode> eachAwaited(NodeQuestion question, Map<ContextId, ObjectNode> bodies) {
    return each(question, bodies, nodes::onlyMember);
  }

  private Map<ContextId, ObjectNode> each(
      NodeQuestion question, Map<ContextId, ObjectNode> bodies, SearchNodes members) {
    Map<String, List<ContextId>> byNode = new LinkedHashMap<>();
    for (ContextId context : bodies.keySet()) {
      byNode.computeIfAbsent(context.node(), _ -> new ArrayList<>()).add(context);
    }
    Map<ContextId, ObjectNode> answers = new HashMap<>();
    byNode.forEach((node, contexts) -> {
      List<ObjectNode> asked = new ArrayList<>();
      for (ContextId context : contexts) {
        ObjectNode body = TargetJson.context(context);
        body.setAll(bodies.getOrDefault(context, Json.object()));
        asked.add(body);
      }
      List<@Nullable ObjectNode> answered = each(node, question, asked, members);
      for (int i = 0; i < contexts.size(); i++) {
        ObjectNode answer = answered.get(i);
        if (answer != null) {
          answers.put(contexts.get(i), answer);
        }
      }
    });
    return answers;
  }

  /// Asks one node the same question about several things, in one call.
  ///
  /// @return an answer to each; null where it refused, or did not answer now
  List<@Nullable ObjectNode> each(String node, NodeQuestion question, List<ObjectNode> bodies) {
    return each(node, question, bodies, nodes);
  }

  private List<@Nullable ObjectNode> each(
      String node, NodeQuestion question, List<ObjectNode> bodies, SearchNodes members) {
    List<@Nullable ObjectNode> answers = new ArrayList<>();
    ObjectNode all = Json.object().put("question", question.name());
    ArrayNode list = all.putArray("bodies");
    bodies.forEach(list::add);
    try {
      JsonNode answered =
          isMember(node)
              ? asked(() -> members.member(node).ask(NodeQuestion.EACH, all)).path("answers")
              : Json.object();
      for (int i = 0; i < bodies.size(); i++) {
        answers.add(answered.get(i) instanceof ObjectNode answer ? answer : null);
      }
      return answers;
    } catch (Refusal | UncheckedIOException e) {
      if (e instanceof Refusal refusal && refusal.type() == ErrorType.TASK_CANCELLED) {
        throw refusal;
      }
      LOG.debug("a node does not answer for its contexts [node={}]", node, e);
      answers.clear();
      bodies.forEach(_ -> answers.add(null));
      return answers;
    }
  }
}
