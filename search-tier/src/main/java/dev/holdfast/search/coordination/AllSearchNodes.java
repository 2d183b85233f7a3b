package dev.holdfast.search.coordination;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All search nodes, asked side by side. A node that does not answer in time is left out: it is
/// about to leave the cluster.
public final class AllSearchNodes {
  private static final Logger LOG = LoggerFactory.getLogger(AllSearchNodes.class);

  private static final Duration WAIT_MAX = Duration.ofSeconds(5);

  private final World world;
  private final Metadata metadata;
  private final SearchNodes nodes;

  public AllSearchNodes(World world, Metadata metadata, SearchNodes nodes) {
    this.world = world;
    this.metadata = metadata;
    this.nodes = nodes;
  }

  /// The answers by the members' ids.
  public Map<String, ObjectNode> ask(NodeQuestion question, ObjectNode body) {
    Map<String, CompletableFuture<ObjectNode>> asking = new TreeMap<>();
    for (Member member : metadata.current().members().values()) {
      if (member.roles().contains(Role.SEARCH)) {
        asking.put(member.id(), asked(member.id(), question, body));
      }
    }
    long startNanos = world.clock().nanoTime();
    Map<String, ObjectNode> answers = new TreeMap<>();
    asking.forEach((id, answer) -> {
      Duration left = WAIT_MAX.minusNanos(world.clock().nanoTime() - startNanos);
      try {
        answers.put(id, world.sleeper().get(answer, left.isNegative() ? Duration.ZERO : left));
      } catch (ExecutionException | TimeoutException e) {
        LOG.debug("a search node does not answer [node={}]", id, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Refusal(ErrorType.TASK_CANCELLED, "interrupted while waiting for a node", e);
      }
    });
    return answers;
  }

  private CompletableFuture<ObjectNode> asked(String id, NodeQuestion question, ObjectNode body) {
    CompletableFuture<ObjectNode> answer = new CompletableFuture<>();
    Tasks.Task _ =
        world
            .tasks()
            .start(
                "search-nodes",
                () -> {
                  try {
                    answer.complete(nodes.member(id).ask(question, body));
                  } catch (Throwable e) {
                    answer.completeExceptionally(e);
                    throw e;
                  }
                });
    return answer;
  }
}
